/** A process that scans a workspace repeatedly and prints what it saw. Ends without closing anything. */
import { appendFileSync, linkSync, readdirSync, readlinkSync } from "node:fs";
import { join } from "node:path";
import { MarkdownDocuments } from "../../src/files/documents.ts";
import { errorCode } from "../../src/util/fs.ts";

export interface Seen {
  /** Open watches after each scan; null if unknown. */
  readonly watches: (number | null)[];
  /** The sizes of a document before and after it was edited, and after an edit that has no event. */
  readonly sizes: number[];
}

const [workspace = "", ...path] = process.argv.slice(2);
const documents = new MarkdownDocuments(join(workspace, "collections"), workspace, () => new Date(0));
const watches: (number | null)[] = [];
const scan = () => {
  const outcome = documents.scan();
  watches.push(openWatches());
  return outcome;
};
const size = () => scan().found[0]?.stamp.size ?? 0;

const document = join(workspace, "collections", ...path);
const second = join(workspace, "second");
scan();
scan();
const sizes = [size()];
appendFileSync(document, "more");
sizes.push(size());
linkSync(document, second);
appendFileSync(second, "more");
sizes.push(size());
const seen: Seen = { watches, sizes };
console.log(JSON.stringify(seen));

function openWatches(): number | null {
  try {
    return readdirSync("/proc/self/fd").filter((number) => isWatch(number)).length;
  } catch {
    return null;
  }
}

function isWatch(number: string): boolean {
  try {
    return readlinkSync(`/proc/self/fd/${number}`).endsWith("inotify");
  } catch (error) {
    if (errorCode(error) === "ENOENT") return false;
    throw error;
  }
}

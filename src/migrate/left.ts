/** Reports files that were not imported, so that a user doesn't delete the old directory with data still in it. */
import { join } from "node:path";
import type { Found } from "./recognise.ts";
import type { Outcomes } from "./report.ts";
import type { Source, SourceEntry } from "./source.ts";

/** Looks inside and next to the recognised parts. */
export function reportLeftovers(source: Source, found: readonly Found[], outcomes: Outcomes): void {
  const reported = new Set([
    ...outcomes.items.map(({ file }) => file),
    ...outcomes.left.map(({ path }) => path),
  ]);
  const parts = new Set(found.flatMap((part) => directoriesOf(source, part)));
  const beside = found.filter(({ path }) => path !== "").map(({ path }) => parentOf(path));
  for (const directory of new Set([...beside, ...parts])) {
    for (const entry of source.entries(directory)) {
      const isOnTheWay = [...parts].some((path) => `${path}/`.startsWith(`${entry.path}/`));
      if (entry.name.startsWith(".") || isOnTheWay || reported.has(entry.path)) continue;
      reported.add(entry.path);
      outcomes.leave(entry.path, reasonFor(entry));
    }
  }
  for (const path of source.closed)
    outcomes.skipped(
      { kind: "files", name: path, file: path },
      "Cannot read the directory.",
      "Check its permissions.",
    );
}

function directoriesOf(source: Source, { kind, path }: Found): string[] {
  if (kind === "instructions") return [parentOf(path)];
  if (kind !== "memories") return [path];
  const chats = source
    .entries(join(path, "chats"))
    .flatMap((one) => (one.kind === "directory" ? one.path : []));
  return [path, join(path, "chats"), ...chats, join(path, "working")];
}

function parentOf(path: string): string {
  return path.split("/").slice(0, -1).join("/");
}

function reasonFor({ kind }: SourceEntry): string {
  return kind === "outside" ? "it is a link to outside the directory" : "nothing in it can be imported";
}

/**
 * Derives ids and titles from a text. Slugs have lower case and dashes; letters of all scripts stay. Ids and titles are shared, so
 * private parts and secrets stay out.
 */
import { sha256 } from "../../util/hash.ts";
import { withPrivateBlanked } from "../secrets/private.ts";
import { redactSecrets } from "../secrets/secrets.ts";
import { isCode, linesOf } from "../text/markdown.ts";
import { blocksOf, bodyOf } from "../text/markdown-blocks.ts";
import { checkNewName, isNewName } from "./names.ts";

const MAX_SLUG = 50;
const HASH_LENGTH = 12;

/** Latin letters that Unicode doesn't decompose. */
const FOLDED: Record<string, string> = {
  ß: "ss",
  æ: "ae",
  œ: "oe",
  ø: "o",
  đ: "d",
  ł: "l",
  þ: "th",
  ð: "d",
  ı: "i",
};

/** "GPU Acceleration Patterns" becomes "gpu-acceleration-patterns"; "" if the text has no usable characters. */
export function slugify(text: string): string {
  const plain = text
    .normalize("NFKD")
    .toLowerCase()
    .normalize("NFKD")
    .replace(/(\p{Script=Latin})[\u0300-\u036f]+/gu, "$1")
    .replace(/[ßæœøđłþðı]/g, (letter) => FOLDED[letter] ?? letter)
    .normalize("NFC");
  const dashed = plain
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, "-")
    .replace(/(^|-)\p{M}+/gu, "$1")
    .replace(/-+/g, "-");
  const short = Array.from(dashed.replace(/^-/, "")).slice(0, MAX_SLUG).join("");
  return short.replace(/-$/, "");
}

interface IdSource {
  /** Given by the user: used as it is, or rejected. */
  id?: string | null;
  title?: string | null;
  content: string;
}

/** The id of a new document: the given one, else from the title, the first heading or the content's hash. */
export function idFor(source: IdSource): string {
  if (source.id != null) {
    const id = source.id.normalize("NFC");
    checkNewName("id", id);
    return id;
  }
  const title = source.title == null ? null : redactSecrets(withPrivateBlanked(source.title));
  for (const text of [title, headingOf(source.content)]) {
    const slug = text ? slugify(text) : "";
    if (isNewName("id", slug)) return slug;
    if (isNewName("id", `${slug}-doc`)) return `${slug}-doc`;
  }
  return sha256(source.content).slice(0, HASH_LENGTH);
}

/** The first level-one heading that isn't empty; null if there is none. */
export function headingOf(content: string): string | null {
  const open = withPrivateBlanked(content);
  for (const block of blocksOf(open)) {
    const heading = block.kind === "heading" && block.level === 1 ? firstLine(bodyOf(open, block)) : "";
    if (heading !== "") return redactSecrets(heading);
  }
  return null;
}

function firstLine(text: string): string {
  return text.trimStart().split("\n", 1)[0]?.trim() ?? "";
}

/** The first heading, else the start of the first line of text outside code, else "Untitled". */
export function titleOf(content: string): string {
  const heading = headingOf(content);
  if (heading !== null) return heading;
  const lines = linesOf(withPrivateBlanked(content));
  const line = lines.find(({ kind, text }) => !isCode(kind) && /[\p{L}\p{N}]/u.test(text));
  const start = Array.from(redactSecrets(line?.text.trim() ?? "")).slice(0, 50);
  const title = start.join("").trim();
  return title === "" ? "Untitled" : title;
}

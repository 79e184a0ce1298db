/** Finds secrets by their content: private keys between their dashes, and JSON web tokens. */
import type { Secret } from "./secret.ts";
import { decodeBase64, isFiller } from "./values.ts";

const MARKER =
  /[-–—]{2,8} ?(BEGIN|END) (?:[A-Z0-9]{1,12} ){0,4}PRIVATE KEY(?: BLOCK)? ?[-–—]{2,8}|Private-Lines: \d{1,4}(?=\s)/gi;
/** The content of a key: base64, line breaks (also as `\n`), and characters that quote, indent or join lines. */
const MATERIAL =
  /^(?:(?:Proc-Type|DEK-Info|Version|Comment|Hash|Charset): ?[^\n\\]{0,200}|[A-Za-z0-9+/=\s"'`,>|#]|\\[nr"\n])+/;
const BASE64_LINE = /[A-Za-z0-9+/=]{24}/;
/** More than the longest real keys. */
const LONGEST_KEY = 100_000;

/** From BEGIN to END or, if END is missing, to the end of the key. A heading without a key doesn't count. */
export function findPrivateKeys(text: string): Secret[] {
  const markers = Array.from(text.matchAll(MARKER), (match) => ({
    closes: match[1]?.toUpperCase() === "END",
    start: match.index,
    end: match.index + match[0].length,
  }));
  const found: Secret[] = [];
  for (const [index, { closes, start, end }] of markers.entries()) {
    if (closes) continue;
    const next = markers[index + 1];
    const body = text.slice(end, Math.min(next?.start ?? text.length, end + LONGEST_KEY));
    const closed = next?.closes === true && end + body.length === next.start;
    const key = closed ? body : materialOf(body);
    if (holdsKey(key))
      found.push({ what: "a private key", start, end: closed ? next.end : end + key.length });
  }
  return found;
}

function holdsKey(body: string): boolean {
  return BASE64_LINE.test(body) && !isFiller(body.slice(0, 400));
}

/** Text after a truncated key is letters and spaces too, so the key ends with its last long word. */
function materialOf(body: string): string {
  const material = MATERIAL.exec(body)?.[0] ?? "";
  let end = 0;
  for (const { index, 0: word } of material.matchAll(/[A-Za-z0-9+/=]+/g)) {
    if (index - end > 300) break;
    if (word.length >= 24 || (word.length >= 4 && /[\d+/=]/.test(word))) end = index + word.length;
  }
  return material.slice(0, end);
}

const THREE_PARTS = /(?<![\w-])eyJ[\w-]{8,}\.[\w-]{2,}\.[\w-]*(?:\.[\w-]+\.[\w-]+)?/g;
const LONGEST_HEADER = 16_000;

export function findWebTokens(text: string): Secret[] {
  return Array.from(text.matchAll(THREE_PARTS))
    .filter(([token]) => hasAlgorithm(token.slice(0, token.indexOf("."))))
    .map(({ index, 0: token }) => ({ what: "a JSON web token", start: index, end: index + token.length }));
}

function hasAlgorithm(header: string): boolean {
  try {
    const json: unknown = JSON.parse(decodeBase64(header.slice(0, LONGEST_HEADER)) ?? "");
    return typeof json === "object" && json !== null && "alg" in json;
  } catch {
    return false;
  }
}

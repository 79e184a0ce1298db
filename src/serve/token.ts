/** The token that clients send to the HTTP server: created once, in a file that only its owner can read. */
import { statSync } from "node:fs";
import { dirname } from "node:path";
import { ioError, RetainError } from "../core/errors.ts";
import { ensureDirectory, errorCode, readIfThere, writeNewFile } from "../util/fs.ts";
import { shellWord } from "../util/shell-word.ts";
import { decodeUtf8 } from "../util/text.ts";

const TOKEN = /^[\x21-\x7e]{16,512}$/;

/** Throws `invalid_input` if it isn't a token. */
export function checkedToken(token: string): string {
  if (TOKEN.test(token)) return token;
  throw new RetainError(
    "invalid_input",
    "The token must have 16 to 512 characters, without spaces.",
    "To create one: openssl rand -hex 32",
  );
}

/** Creates the token if missing. Throws `unsafe` for a file that others can read, `invalid_input` if it isn't a token. */
export function tokenIn(file: string): string {
  try {
    return readToken(file) ?? makeToken(file);
  } catch (error) {
    throw ioError(error, `Cannot store the token in ${file}`);
  }
}

function readToken(file: string): string | null {
  const bytes = readIfThere(file);
  if (bytes === null) return null;
  if ((statSync(file).mode & 0o077) !== 0)
    throw new RetainError(
      "unsafe",
      `Other users can read the token in ${file}.`,
      `Make it private: chmod 600 ${shellWord(file)}`,
    );
  const token = decodeUtf8(bytes)?.trim() ?? "";
  if (TOKEN.test(token)) return token;
  throw new RetainError(
    "invalid_input",
    `${file} doesn't contain a token: one line of 16 to 512 characters, without spaces.`,
    "Delete the file; Retain then creates a new token.",
  );
}

/** If another process created one in the meantime, that one is used. */
function makeToken(file: string): string {
  const token = Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString("base64url");
  ensureDirectory(dirname(file));
  try {
    writeNewFile(file, `${token}\n`);
    return token;
  } catch (error) {
    if (errorCode(error) !== "EEXIST") throw error;
    return readToken(file) ?? token;
  }
}

/** The token that programs show to the server over HTTP: made once, kept in a file that only its owner may read. */
import { linkSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { ioError, RetainError } from "../core/errors.ts";
import {
  ensureDirectory,
  errorCode,
  fsyncDirectory,
  readIfThere,
  removeIfThere,
  writeFileAtomic,
} from "../util/fs.ts";
import { decodeUtf8, shellWord } from "../util/text.ts";

const TOKEN = /^[\x21-\x7e]{16,512}$/;

/** Makes it where there is none. Throws `unsafe` for a file that others may read, `invalid_input` for one that is no token. */
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

/** Whole or not at all; where another process made one meanwhile, that is the one. */
function makeToken(file: string): string {
  const token = Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString("base64url");
  ensureDirectory(dirname(file));
  const draft = `${file}.${process.pid}`;
  writeFileAtomic(draft, `${token}\n`);
  try {
    linkSync(draft, file);
    fsyncDirectory(dirname(file));
    return token;
  } catch (error) {
    if (errorCode(error) !== "EEXIST") throw error;
    return readToken(file) ?? token;
  } finally {
    removeIfThere(draft);
  }
}

/**
 * Keeps secrets out of memory: texts are checked before they are written. Known formats are found by prefix, others by the name or
 * context that makes a value secret. If in doubt, ordinary text is left alone.
 */

import { findAssignments, findSaidBefore } from "./assignments.ts";
import { findPrivateKeys, findWebTokens } from "./blocks.ts";
import { findCards } from "./cards.ts";
import { findCookies, findLogins, findUserThenPassword } from "./logins.ts";
import { REMOVED, type Secret, type SecretFinder } from "./secret.ts";
import { findShapes } from "./shapes.ts";
import { findInTables } from "./tables.ts";
import { findCloudKeys, findHeaders, findUrlPasswords } from "./urls.ts";

export type { Secret } from "./secret.ts";

/** If two find the same secret, the first one describes it. */
const FINDERS: readonly SecretFinder[] = [
  findPrivateKeys,
  findShapes,
  findWebTokens,
  findUrlPasswords,
  findCards,
  findCloudKeys,
  findHeaders,
  findCookies,
  findLogins,
  findUserThenPassword,
  findAssignments,
  findInTables,
  findSaidBefore,
];

/** In order and not overlapping, with offsets in `text`. Takes linear time and never throws. */
export function findSecrets(text: string): Secret[] {
  const { plain, origin } = withoutInvisible(text);
  const found = FINDERS.flatMap((find, rank) => find(plain).map((secret) => ({ ...secret, rank })));
  return joinOverlapping(found).map(({ what, start, end }) => ({
    what,
    start: origin(start),
    end: origin(end - 1) + 1,
  }));
}

/** Adjacent secrets can hide each other's ends, so the rest is checked again, at most this many times. */
const ROUNDS = 4;

/** Replaces each secret with "[secret removed]". With `keepLines`, its line breaks stay. */
export function redactSecrets(text: string, keepLines = false): string {
  let redacted = text;
  for (let round = 0; round < ROUNDS; round++) {
    const secrets = findSecrets(redacted);
    if (secrets.length === 0) break;
    redacted = without(redacted, secrets, keepLines);
  }
  return redacted;
}

function without(text: string, secrets: readonly Secret[], keepLines: boolean): string {
  let done = 0;
  const kept = secrets.map(({ start, end }) => {
    const before = text.slice(done, start);
    done = end;
    const breaks = keepLines ? (text.slice(start, end).match(/\r?\n/g) ?? []) : [];
    return before + REMOVED + breaks.join("");
  });
  return kept.join("") + text.slice(done);
}

/** Merges overlapping secrets, so that no part of the longer one is left. */
function joinOverlapping(secrets: readonly (Secret & { rank: number })[]): Secret[] {
  const joined: (Secret & { rank: number })[] = [];
  for (const secret of secrets.toSorted((a, b) => a.start - b.start || a.rank - b.rank)) {
    const last = joined.at(-1);
    if (last === undefined || secret.start >= last.end) joined.push({ ...secret });
    else {
      if (secret.rank < last.rank) Object.assign(last, { what: secret.what, rank: secret.rank });
      last.end = Math.max(last.end, secret.end);
    }
  }
  return joined;
}

/** Invisible characters and Markdown's escapes: a key with these inside is still a key. */
const INVISIBLE = /\p{Default_Ignorable_Code_Point}|\\(?=[_*~-])/gu;

/** The text without them and with plain spaces, and the original offset of each character. */
function withoutInvisible(text: string): { plain: string; origin: (index: number) => number } {
  const plain = text.replace(INVISIBLE, "").replace(/[\u00a0\u2007\u2009\u202f]/g, " ");
  if (plain.length === text.length) return { plain, origin: (index) => index };
  const positions = new Uint32Array(plain.length);
  let filled = 0;
  let done = 0;
  const keepUntil = (end: number) => {
    for (let index = done; index < end; index++) positions[filled++] = index;
  };
  for (const { index, 0: invisible } of text.matchAll(INVISIBLE)) {
    keepUntil(index);
    done = index + invisible.length;
  }
  keepUntil(text.length);
  return { plain, origin: (index) => positions[index] ?? text.length };
}

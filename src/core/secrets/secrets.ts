/**
 * The guard that keeps secrets out of memory: what is about to be written is looked at first. Known shapes are found by their
 * prefix, the rest by the name or the place that makes a value secret. In doubt ordinary text is left alone.
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

/** Where two find the same, the first says what it is. */
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

/** In order, not overlapping; each is a stretch of `text` as it stands. Takes linear time, and never throws. */
export function findSecrets(text: string): Secret[] {
  const { plain, origin } = withoutInvisible(text);
  const found = FINDERS.flatMap((find, rank) => find(plain).map((secret) => ({ ...secret, rank })));
  return joinOverlapping(found).map(({ what, start, end }) => ({
    what,
    start: origin(start),
    end: origin(end - 1) + 1,
  }));
}

/** Secrets that touch each other hide each other's ends: what is left is looked at again, so many times at most. */
const ROUNDS = 4;

/** Each secret replaced by "[secret removed]", the rest as it was. With `keepLines`, its line breaks stay. */
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

/** One stretch for secrets that share characters: nothing of the longer one may be left. */
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

/** Characters that nobody sees, and Markdown's backslash before a mark: a key with these inside is still a key. */
const INVISIBLE = /\p{Default_Ignorable_Code_Point}|\\(?=[_*~-])/gu;

/** The text without them and with plain spaces, and where each of its characters stood. */
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

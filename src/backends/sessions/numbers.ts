/**
 * Session ids: `session_20260218_001`, numbered per day. The history of facts refers to sessions, so a number is never reused, not
 * even after its session was removed.
 */

/** Retain never assigns longer numbers. */
const ID = /^session_(\d{8})_(\d{1,9})$/;

/** The next unused id of a day ("2026-02-18"). */
export function nextSessionId(day: string, given: readonly string[]): string {
  const date = day.replaceAll("-", "");
  if (!/^\d{8}$/.test(date)) throw new Error(`'${day}' is not a day`);
  const numbers = given.map((id) => ID.exec(id)).map((id) => (id?.[1] === date ? Number(id[2]) : 0));
  return `session_${date}_${String(numbers.reduce((a, b) => Math.max(a, b), 0) + 1).padStart(3, "0")}`;
}

/** The id that was assigned later; an id in another format counts as earliest. */
export function numberedLater(a: string, b: string): string {
  return orderOf(a) < orderOf(b) ? b : a;
}

function orderOf(id: string): string {
  const [, date, number = ""] = ID.exec(id) ?? [];
  return date === undefined ? "" : `${date}_${number.padStart(9, "0")}`;
}

/**
 * The ids of sessions: `session_20260218_001`, counted by the day. The history of facts names sessions, so a number is not given
 * twice, not even after its session was removed.
 */

/** A longer number is somebody else's idea of an id. */
const ID = /^session_(\d{8})_(\d{1,9})$/;

/** The next id of a day ("2026-02-18") that none of these has. */
export function nextSessionId(day: string, given: readonly string[]): string {
  const date = day.replaceAll("-", "");
  if (!/^\d{8}$/.test(date)) throw new Error(`'${day}' is not a day`);
  const numbers = given.map((id) => ID.exec(id)).map((id) => (id?.[1] === date ? Number(id[2]) : 0));
  return `session_${date}_${String(numbers.reduce((a, b) => Math.max(a, b), 0) + 1).padStart(3, "0")}`;
}

/** Of two ids the one that was given later; one that is no number of ours was never given. */
export function numberedLater(a: string, b: string): string {
  return orderOf(a) < orderOf(b) ? b : a;
}

function orderOf(id: string): string {
  const [, date, number = ""] = ID.exec(id) ?? [];
  return date === undefined ? "" : `${date}_${number.padStart(9, "0")}`;
}

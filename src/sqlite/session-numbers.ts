/**
 * The ids of sessions: `session_20260218_001`, counted by the day. The history of facts names sessions, so a number is not
 * given twice, not even after its session was removed: the table `state` remembers how far each day has come.
 */
import type { Database } from "bun:sqlite";
import { setState, stateOf } from "./state.ts";

/** A longer number is somebody else's idea of an id. */
const ID = /^session_(\d{8})_(\d{1,9})$/;

/** `day` is "2026-02-18". Works inside the transaction that makes the session. */
export function nextSessionId(database: Database, day: string): string {
  const date = day.replaceAll("-", "");
  if (!/^\d{8}$/.test(date)) throw new Error(`'${day}' is not a day`);
  const known = database
    .query<{ id: string }, [string, string]>("SELECT id FROM sessions WHERE id >= ? AND id < ?")
    .all(`session_${date}_`, `session_${date}_:`);
  const used = [...known.map(({ id }) => numberOf(id)), reserved(database, date)];
  const id = `session_${date}_${String(Math.max(0, ...used) + 1).padStart(3, "0")}`;
  keepNumber(database, id);
  return id;
}

/** Has the number of this id never given again. */
export function keepNumber(database: Database, id: string): void {
  const date = ID.exec(id)?.[1];
  if (date === undefined) return;
  const number = Math.max(numberOf(id), reserved(database, date));
  setState(database, `session:${date}`, String(number));
}

function numberOf(id: string): number {
  return Number(ID.exec(id)?.[2] ?? 0);
}

function reserved(database: Database, date: string): number {
  const number = Number(stateOf(database, `session:${date}`) ?? Number.NaN);
  return Number.isSafeInteger(number) ? number : 0;
}

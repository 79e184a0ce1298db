/** Moments in the browser's time zone. */
import { localDay, localTime } from "../../util/days.ts";

/** "2026-02-18 09:30"; "" for a time that cannot be read. */
export function moment(time: string): string {
  const date = new Date(time);
  return Number.isNaN(date.getTime()) ? "" : `${localDay(time)} ${localTime(date)}`;
}

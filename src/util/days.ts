/** Days and times as text. */

export const DAY_MS = 86_400_000;

/** "2026-11-15T20:17:47Z", the format of spec 002. */
export function isoSeconds(date: Date): string {
  return `${date.toISOString().slice(0, 19)}Z`;
}

/** The local calendar day of a time; anything else, including a plain date, is returned unchanged. */
export function localDay(time: string): string {
  const moment = /^\d{4}-\d\d-\d\d[T ]/.test(time) ? new Date(time) : null;
  if (moment === null || Number.isNaN(moment.getTime())) return time.slice(0, 10);
  const two = (number: number) => String(number).padStart(2, "0");
  return `${moment.getFullYear()}-${two(moment.getMonth() + 1)}-${two(moment.getDate())}`;
}

/** "09:05", local time. */
export function localTime(date: Date): string {
  const two = (number: number) => String(number).padStart(2, "0");
  return `${two(date.getHours())}:${two(date.getMinutes())}`;
}

export const MONTH_NAMES =
  "January February March April May June July August September October November December".split(" ");
export const WEEKDAY_NAMES = "Sunday Monday Tuesday Wednesday Thursday Friday Saturday".split(" ");

/** "Monday 8 May 2023", local time. Without Intl, which takes 10 ms to load. */
export function dayInWords(date: Date): string {
  return `${WEEKDAY_NAMES[date.getDay()]} ${date.getDate()} ${MONTH_NAMES[date.getMonth()]} ${date.getFullYear()}`;
}

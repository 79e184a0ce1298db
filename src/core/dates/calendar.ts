/**
 * Days, weeks, months and seasons in the local time zone. Everything is built with `new Date(year, month, day)`, which handles days
 * of 23 or 25 hours. A span ends where the next one starts.
 */

/** `from` is inclusive, `to` exclusive. */
export interface Span {
  readonly from: Date;
  readonly to: Date;
}

export type Unit = "day" | "week" | "month" | "quarter" | "year";

/** The unit that contains `now`, shifted by `offset` units. Weeks start on Monday. */
export function unitSpan(now: Date, unit: Unit, offset = 0): Span {
  const [year, month, day] = [now.getFullYear(), now.getMonth(), now.getDate()];
  switch (unit) {
    case "day":
      return days(year, month, day + offset, 1);
    case "week":
      return days(year, month, day - mondayBased(now) + 7 * offset, 7);
    case "month":
      return months(year, month + offset, 1);
    case "quarter":
      return months(year, month - (month % 3) + 3 * offset, 3);
    case "year":
      return months(year + offset, 0, 12);
  }
}

/** `count` days starting with this one; days and months may overflow. */
export function days(year: number, month: number, day: number, count: number): Span {
  return { from: date(year, month, day), to: date(year, month, day + count) };
}

export function months(year: number, month: number, count: number): Span {
  return { from: date(year, month, 1), to: date(year, month + count, 1) };
}

/** null if the date doesn't exist. */
export function realDay(year: number, month: number, day: number): Span | null {
  const span = days(year, month, day, 1);
  return span.from.getMonth() === month && span.from.getDate() === day ? span : null;
}

/** The day `count` units back; in a shorter month, its last day. */
export function dayBack(now: Date, unit: Unit, count: number): Date {
  const [year, month, day] = [now.getFullYear(), now.getMonth(), now.getDate()];
  if (unit === "day" || unit === "week") return date(year, month, day - count * (unit === "week" ? 7 : 1));
  const back = count * { month: 1, quarter: 3, year: 12 }[unit];
  const lastDay = date(year, month - back + 1, 0).getDate();
  return date(year, month - back, Math.min(day, lastDay));
}

/** 0 is Monday. */
export function mondayBased(moment: Date): number {
  return (moment.getDay() + 6) % 7;
}

/** Local midnight. `new Date` would read a year below 100 as 19xx. */
function date(year: number, month: number, day: number): Date {
  const midnight = new Date(2000, 0, 1);
  midnight.setFullYear(year, month, day);
  return midnight;
}

/** What was learned when, in as many bars as fit: by day, week, month or year. */
import type { Answer } from "../../serve/page/table.ts";
import { DAY_MS } from "../../util/days.ts";

type Learned = Answer<"overview">["learned"];

export interface Bar {
  /** Its first day ("2026-11-16"), month or year. */
  readonly label: string;
  readonly facts: number;
  readonly unconfirmed: number;
}

interface Bars {
  readonly unit: (typeof UNITS)[number]["unit"];
  /** Oldest first, up to today. */
  readonly bars: readonly Bar[];
}

/** How long each unit is in days, and how many bars of it there may be: fewer would look empty, more would be too thin. */
const UNITS = [
  { unit: "day", days: 1, fewest: 14, most: 31 },
  { unit: "week", days: 7, fewest: 12, most: 26 },
  { unit: "month", days: 30.5, fewest: 12, most: 36 },
  { unit: "year", days: 365.25, fewest: 4, most: Number.POSITIVE_INFINITY },
] as const;

/** Days are "2026-11-15"; `learned` is sorted. */
export function barsOf(learned: Learned, today: string): Bars {
  const first = learned[0]?.day ?? today;
  const days = 1 + Math.round((Date.parse(today) - Date.parse(first)) / DAY_MS);
  const { unit, ...its } = UNITS.find((one) => days <= one.most * one.days) ?? UNITS[3];
  const from = plusDays(today, -Math.max(days - 1, Math.round((its.fewest - 1) * its.days)));
  const bars = new Map<string, Bar>();
  for (let day = from; day <= today; day = plusDays(day, 1))
    bars.set(labelOf(day, unit), { label: labelOf(day, unit), facts: 0, unconfirmed: 0 });
  for (const { day, facts, unconfirmed } of learned) {
    const label = labelOf(day, unit);
    const before = bars.get(label);
    if (before === undefined) continue;
    bars.set(label, {
      label,
      facts: before.facts + facts,
      unconfirmed: before.unconfirmed + unconfirmed,
    });
  }
  return { unit, bars: [...bars.values()] };
}

function labelOf(day: string, unit: Bars["unit"]): string {
  if (unit === "month") return day.slice(0, 7);
  if (unit === "year") return day.slice(0, 4);
  return unit === "day" ? day : mondayOf(day);
}

function mondayOf(day: string): string {
  return plusDays(day, -((new Date(day).getUTCDay() + 6) % 7));
}

function plusDays(day: string, days: number): string {
  return new Date(Date.parse(day) + days * DAY_MS).toISOString().slice(0, 10);
}

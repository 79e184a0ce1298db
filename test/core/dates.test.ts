import { expect, test } from "bun:test";
import fc from "fast-check";
import { findPeriod } from "../../src/core/dates/period.ts";

/** A Wednesday. */
const NOW = new Date(2026, 10, 18, 15, 30);

type Day = readonly [year: number, month: number, day: number];

const dayText = (time: number) => {
  const at = new Date(time);
  return [at.getFullYear(), at.getMonth() + 1, at.getDate()].join("-");
};

/** "first..last" as calendar days. Checks that they start at midnight and end a millisecond before midnight. */
function days(text: string, now = NOW): string | null {
  const period = findPeriod(text, now);
  if (period === null) return null;
  const { from, until, said } = period;
  expect(text).toContain(said);
  if (from !== null) expect(new Date(from)).toEqual(midnight(from, 0));
  if (until !== null) expect(new Date(until + 1)).toEqual(midnight(until, 1));
  return `${from === null ? "" : dayText(from)}..${until === null ? "" : dayText(until)}`;
}

function midnight(time: number, after: number): Date {
  const at = new Date(time);
  return new Date(at.getFullYear(), at.getMonth(), at.getDate() + after);
}

function check(table: Readonly<Record<string, string | null>>, now = NOW): void {
  const found = Object.fromEntries(Object.keys(table).map((text) => [text, days(text, now)]));
  expect(found).toEqual(table);
}

test("DATE-1: relative days and weeks; weeks start on Monday", () => {
  check({
    "what did I do today?": "2026-11-18..2026-11-18",
    "Yesterday's standup": "2026-11-17..2026-11-17",
    "the day before yesterday": "2026-11-16..2026-11-16",
    "due tomorrow": "2026-11-19..2026-11-19",
    "the day after tomorrow": "2026-11-20..2026-11-20",
    "this morning": "2026-11-18..2026-11-18",
    "last week": "2026-11-9..2026-11-15",
    "this week": "2026-11-16..2026-11-22",
    "next week": "2026-11-23..2026-11-29",
    "the week before last": "2026-11-2..2026-11-8",
    "last weekend": "2026-11-14..2026-11-15",
    "this past weekend": "2026-11-14..2026-11-15",
    "this weekend": "2026-11-21..2026-11-22",
    "over the weekend": "2026-11-14..2026-11-15",
  });
  check(
    { "last week": "2026-11-9..2026-11-15", "the weekend": null, "at the weekend": "2026-11-21..2026-11-22" },
    new Date(2026, 10, 22),
  );
  check(
    { "this week": "2026-11-16..2026-11-22", "last weekend": "2026-11-14..2026-11-15" },
    new Date(2026, 10, 16),
  );
});

test("DATE-1: relative months, quarters and years", () => {
  check({
    "last month": "2026-10-1..2026-10-31",
    "this month": "2026-11-1..2026-11-30",
    "next month": "2026-12-1..2026-12-31",
    "last quarter": "2026-7-1..2026-9-30",
    "last year": "2025-1-1..2025-12-31",
    "next year": "2027-1-1..2027-12-31",
  });
  check({ "last month": "2026-2-1..2026-2-28", "a month ago": "2026-2-1..2026-2-28" }, new Date(2026, 2, 31));
  check({ "last month": "2025-12-1..2025-12-31" }, new Date(2026, 0, 31));
});

test("DATE-1: last night lasts from yesterday until six in the morning", () => {
  const { from, until } = findPeriod("last night", NOW) ?? {};
  expect(from).toBe(new Date(2026, 10, 17).getTime());
  expect(until).toBe(new Date(2026, 10, 18, 6).getTime() - 1);
});

test("DATE-1: a weekday means the latest one in the past", () => {
  check({
    "on Tuesday": "2026-11-17..2026-11-17",
    "on Wednesday": "2026-11-11..2026-11-11",
    "last Thursday": "2026-11-12..2026-11-12",
    "this Friday": "2026-11-20..2026-11-20",
    "next Monday": "2026-11-23..2026-11-23",
    "since Monday": "2026-11-16..",
    "every Monday": null,
    "on Mondays": null,
    "Friday deploys": null,
    "on sun": null,
  });
});

test("DATE-1: a number of days, weeks, months or years ago", () => {
  check({
    "3 days ago": "2026-11-15..2026-11-15",
    "one day ago": "2026-11-17..2026-11-17",
    "a week ago": "2026-11-9..2026-11-15",
    "two weeks ago": "2026-11-2..2026-11-8",
    "a couple of days ago": "2026-11-15..2026-11-16",
    "a few weeks ago": "2026-10-12..2026-11-8",
    "11 months ago": "2025-12-1..2025-12-31",
    "10 years ago": "2016-1-1..2016-12-31",
    "72 hours ago": "2026-11-15..2026-11-15",
    "a second ago": null,
    "days ago": null,
    "long ago": null,
    "999999999 years ago": null,
    "1000 years ago": "1026-1-1..1026-12-31",
  });
});

test("DATE-1: the last so many days, weeks or months", () => {
  check({
    "in the last 3 weeks": "2026-10-28..2026-11-18",
    "in the past 30 days": "2026-10-19..2026-11-18",
    "past week": "2026-11-11..2026-11-18",
    "over the last month": "2026-10-18..2026-11-18",
    "the past few days": "2026-11-13..2026-11-18",
    "last two months": "2026-9-18..2026-11-18",
    "last 24 hours": "2026-11-17..2026-11-18",
    "what changed recently": "2026-11-4..2026-11-18",
    "the other day": "2026-11-4..2026-11-18",
    "next 2 days": "2026-11-19..2026-11-20",
    "the last 5 files": null,
  });
  check({ "past month": "2026-2-28..2026-3-31" }, new Date(2026, 2, 31));
});

test("DATE-1: a day in words or digits", () => {
  const day = "2023-5-8..2023-5-8";
  check({
    "on 8 May 2023": day,
    "May 8, 2023": day,
    "may 8 2023": day,
    "May 8th, 2023": day,
    "the 8th of May 2023": day,
    "Monday, May 8, 2023": day,
    "on Monday the 8th of May, 2023": day,
    "(2023-05-08)": day,
    "2023-05-08T10:00": day,
    "2023/05/08": day,
    "2023/5/8.": day,
    "May 32": null,
    "31 June 2023": "2023-6-1..2023-6-30",
    "2023-02-30": null,
    "2023-13": null,
  });
  check({
    "May 8th": "2026-5-8..2026-5-8",
    "8th of December": "2025-12-8..2025-12-8",
    "Nov 18": "2026-11-18..2026-11-18",
  });
  check({ "Nov 19": "2025-11-19..2025-11-19", "29 February": "2024-2-29..2024-2-29" });
});

test("DATE-1: a month or a year; a month without a year is the latest that isn't in the future", () => {
  check({
    "in May 2023": "2023-5-1..2023-5-31",
    "May 2023": "2023-5-1..2023-5-31",
    "Sept. 2023": "2023-9-1..2023-9-30",
    "February of 2024": "2024-2-1..2024-2-29",
    "2023-05": "2023-5-1..2023-5-31",
    "in May": "2026-5-1..2026-5-31",
    "during november": "2026-11-1..2026-11-30",
    "in December": "2025-12-1..2025-12-31",
    "last May": "2026-5-1..2026-5-31",
    "last November": "2025-11-1..2025-11-30",
    "what happened this May?": "2026-5-1..2026-5-31",
    "next May": "2027-5-1..2027-5-31",
    "at the end of May": "2026-5-1..2026-5-31",
    "late May": "2026-5-1..2026-5-31",
    "in 2023": "2023-1-1..2023-12-31",
    "the year 2023": "2023-1-1..2023-12-31",
    "in early 2023": "2023-1-1..2023-12-31",
  });
  check({ "in May": "2025-5-1..2025-5-31", "in March": "2026-3-1..2026-3-31" }, new Date(2026, 2, 1));
});

test("DATE-1: words and numbers that only look like times aren't times", () => {
  for (const text of [
    "may I ask",
    "May I ask",
    "it may be",
    "this may be wrong",
    "the last may not work",
    "all 3 may be wrong",
    "of these 3 may I pick one",
    "this may or may not be",
    "we march on",
    "they march 5 miles",
    "a march in the park",
    "the second run",
    "sun and moon",
    "sat down",
    "June said",
    "spring cleaning",
    "how is auth done in Spring Boot",
    "in summer",
    "fall asleep",
    "version 2023",
    "in 2000 steps",
    "CVE-2023-1234",
    "costs $2023",
    "in 20230508",
    "3.5 days ago",
    "port 2024:2023",
    "last",
    "this",
    "in",
    "since then",
    "between us",
    "",
  ])
    expect([text, findPeriod(text, NOW)]).toEqual([text, null]);
  expect(findPeriod("in May I went", NOW)?.said).toBe("in May");
});

test("DATE-1: seasons and quarters", () => {
  check({
    "summer 2023": "2023-6-1..2023-8-31",
    "in the fall of 2023": "2023-9-1..2023-11-30",
    "winter 2023": "2023-12-1..2024-2-29",
    "last summer": "2026-6-1..2026-8-31",
    "last autumn": "2025-9-1..2025-11-30",
    "last winter": "2025-12-1..2026-2-28",
    "in the spring": "2026-3-1..2026-5-31",
    "Q3 2024": "2024-7-1..2024-9-30",
    "2024 Q3": "2024-7-1..2024-9-30",
    "in Q1": "2026-1-1..2026-3-31",
  });
});

test("DATE-1: since, after, before, until", () => {
  check({
    "since March": "2026-3-1..",
    "since last week": "2026-11-9..",
    "since summer": "2026-6-1..",
    "after 3 May": "2026-5-4..",
    "after 2022": "2023-1-1..",
    "before June 2022": "..2022-5-31",
    "before yesterday": "..2026-11-16",
    "until 3 May 2023": "..2023-5-3",
    "till June": "..2026-6-30",
    "by 2023": "..2023-12-31",
  });
});

test("DATE-1: between and from ... to; a year given on one side applies to both", () => {
  check({
    "between 3 May and 10 May 2023": "2023-5-3..2023-5-10",
    "between 3 and 10 May 2023": "2023-5-3..2023-5-10",
    "from May 3 to 10": "2026-5-3..2026-5-10",
    "from May to July 2023": "2023-5-1..2023-7-31",
    "between November and February 2023": "2022-11-1..2023-2-28",
    "from November to February": "2025-11-1..2026-2-28",
    "from May 2023 to July": "2023-5-1..2023-7-31",
    "from 2020 until 2022": "2020-1-1..2022-12-31",
    "between 2022 and 2020": "2020-1-1..2022-12-31",
    "from Monday to Tuesday": "2026-11-16..2026-11-17",
    "between Monday and Friday": "2026-11-9..2026-11-13",
    "from 2023-05-08 to yesterday": "2023-5-8..2026-11-17",
    "photos from last week": "2026-11-9..2026-11-15",
    "between the house and May 2023": "2023-5-1..2023-5-31",
  });
});

test("DATE-1: the first period in a text counts, with its words verbatim", () => {
  expect(findPeriod("Tell me what, in  May,\n2023 or in June 2024, we did", NOW)?.said).toBe(
    "in  May,\n2023",
  );
  expect(findPeriod("notes from 2 DAYS Ago please", NOW)?.said).toBe("from 2 DAYS Ago");
});

test("DATE-1: days have 23 or 25 hours where clocks change", () => {
  for (let month = 0; month < 12; month++)
    for (let day = 1; day <= 28; day++) {
      const now = new Date(2026, month, day, 12);
      expect(days("yesterday", now)).toBe(days("1 day ago", now));
      const week = findPeriod("last week", now);
      const monday = new Date(2026, month, day - ((now.getDay() + 6) % 7) - 7);
      expect(week?.from).toBe(monday.getTime());
    }
});

const VOCABULARY =
  "the a in on since before after until by of from to between and last this next past two 3 31 8th few couple day week months year ago may march feb monday weekend summer q3 2023 1999 2023-05-08 0000-00-00 999999999 yesterday recently night , . - | 's".split(
    " ",
  );

test("any text and moment give a period that starts before it ends, or none", () => {
  const text = fc.oneof(
    fc.array(fc.constantFrom(...VOCABULARY), { maxLength: 12 }).map((parts) => parts.join(" ")),
    fc.string({ unit: "binary" }),
  );
  const now = fc.oneof(
    fc.date({ noInvalidDate: false }),
    fc.date({ min: new Date(0), max: new Date(2100, 0) }),
  );
  fc.assert(
    fc.property(text, now, (said, moment) => {
      const period = findPeriod(said, moment);
      if (period === null) return;
      const { from, until } = period;
      expect(period.said.trim()).not.toBe("");
      expect(said).toContain(period.said);
      expect(from === null && until === null).toBe(false);
      expect([from, until].some(Number.isNaN)).toBe(false);
      if (from !== null && until !== null) expect(from).toBeLessThanOrEqual(until);
    }),
    { numRuns: 5_000 },
  );
});

test("every real day is parsed as written", () => {
  const names = "January February March April May June July August September October November December".split(
    " ",
  );
  fc.assert(
    fc.property(
      fc.date({ min: new Date(1900, 0, 2), max: new Date(2199, 11, 30), noInvalidDate: true }),
      (date) => {
        const [year, month, day]: Day = [date.getFullYear(), date.getMonth(), date.getDate()];
        const two = (number: number) => String(number).padStart(2, "0");
        const expected = `${year}-${month + 1}-${day}..${year}-${month + 1}-${day}`;
        for (const text of [
          `${year}-${two(month + 1)}-${two(day)}`,
          `on ${day} ${names[month]} ${year}`,
          `${names[month]?.slice(0, 3)} ${day}, ${year}`,
        ])
          expect(days(text)).toBe(expected);
      },
    ),
  );
});

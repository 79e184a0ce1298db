import { expect, test } from "bun:test";
import { endOfDay, lastDay, lastDayIn, noLastDay } from "../../src/core/facts/until.ts";

/** A Wednesday. */
const NOW = new Date(2026, 10, 18, 15, 30);

test("FACT-27: the last day is read from words that name only a day or period that isn't past", () => {
  for (const [said, day] of [
    ["2026-11-20", "2026-11-20"],
    ["2026-11-20T17:00:00", "2026-11-20"],
    ["today", "2026-11-18"],
    ["tomorrow", "2026-11-19"],
    ["Friday", "2026-11-20"],
    ["wednesday", "2026-11-18"],
    ["next week", "2026-11-29"],
    ["20 November", "2026-11-20"],
    ["3 March", "2027-03-03"],
    ["November", "2026-11-30"],
    ["May", "2027-05-31"],
    ["2027", "2027-12-31"],
    ["Q4", "2026-12-31"],
    ["30. Dezember", "2026-12-30"],
    ["zum 1. März 2027", "2027-03-01"],
    ["el 3 de enero de 2028", "2028-01-03"],
    ["the end of December", "2026-12-31"],
    ["the end of the week", "2026-11-22"],
    ["Freitag", "2026-11-20"],
    ["miércoles", "2026-11-18"],
    ["morgen", "2026-11-19"],
    ["hoy", "2026-11-18"],
    ["the", null],
    ["the end of", null],
    ["", null],
    ["it works", null],
    ["Friday or so", null],
    ["before Friday", null],
    ["2026-02-30", null],
    ["yesterday", null],
    ["2026-11-17", null],
    ["2025", null],
  ] as const)
    expect([said, lastDay(said, NOW)]).toEqual([said, day]);
});

test("FACT-27: a sentence names its last day with 'until' directly before a future day", () => {
  for (const [text, day] of [
    ["On leave until Friday", "2026-11-20"],
    ["Staging is frozen until 2026-12-01.", "2026-12-01"],
    ["Der Keller ist gesperrt bis 2026-12-01", "2026-12-01"],
    ["La oficina cierra hasta 2026-12-01", "2026-12-01"],
    ["Away until the 3rd of December, reachable by mail", "2026-12-03"],
    ["The trial runs from 1 December until 14 December 2026", "2026-12-14"],
    ["Guests stay till tomorrow", "2026-11-19"],
    ["The old API answers until March 2027", "2027-03-31"],
    ["Nora is away until the end of December", "2026-12-31"],
    ["Nora is away until end of November", "2026-11-30"],
    ["Frozen until the end of the week", "2026-11-22"],
    ["The contract runs until the end of 2027", "2027-12-31"],
    ["Every lift runs until the end of April", null],
    ["Frozen until the end of the sprint", null],
    ["Nora está fuera hasta el 30 de diciembre", "2026-12-30"],
    ["Nora está fuera hasta el 3 de enero de 2028", "2028-01-03"],
    ["La oficina cierra hasta el 2026-12-01", "2026-12-01"],
    ["Nora ist bis zum 1. März 2027 weg", "2027-03-01"],
    ["Nora ist bis 30. Dezember weg", "2026-12-30"],
    ["Nora estuvo fuera hasta el 3 de enero de 2020", null],
    ["Frozen until further notice", null],
    ["Retries until it works", null],
    ["Frozen until the audit on 2026-12-01", null],
    ["Decided on 2026-12-01", null],
    ["Lived in Lyon until May 2019", null],
    ["Worked at the mill until recently", null],
    ["Was ill until yesterday", null],
    ["The shop is open Monday until Friday", null],
    ["Every release branch is open until Friday", null],
    ["The lifts run until April", null],
    ["The counter goes up until 2048", null],
    ["Open until 8", null],
  ] as const)
    expect([text, lastDayIn(text, NOW)]).toEqual([text, day]);
});

test("A fact is still current on its last day, even one of 23 or 25 hours", () => {
  expect(endOfDay("2026-12-31")).toEqual(new Date(2027, 0, 1));
  expect(endOfDay("2026-02-28")).toEqual(new Date(2026, 2, 1));
});

test("FACT-27: the error for a last day says whether it is not a day or is in the past", () => {
  const now = new Date("2026-11-18T12:00:00");
  for (const [said, why] of [
    ["2020-01-01", "in the past"],
    ["2020-01-01T10:00:00Z", "in the past"],
    ["yesterday", "in the past"],
    ["gestern", "in the past"],
    ["30. Oktober 2025", "in the past"],
    ["ayer", "in the past"],
    ["banana", "not a day"],
    ["2027-02-30", "not a day"],
    ["friday banana", "not a day"],
  ] as const)
    expect([lastDay(said, now), noLastDay(said, now)]).toEqual([null, `'${said}' is ${why}`]);
});

/** Which facts are about the person. */
import { expect, test } from "bun:test";
import type { Trust } from "../../src/core/memory.ts";
import { isAboutPerson } from "../../src/facts/write/about-person.ts";

function isPersons(text: string, more: { category?: string; trust?: Trust; chat?: string } = {}): boolean {
  const { category = null, trust = "stated", chat = null } = more;
  const source = { by: "remember", session: null, message: null, trust, tags: [] };
  return isAboutPerson({ text, category, chat, source });
}

test("FACT-8: a fact is about the person if its category says so, or if they say it of themselves", () => {
  const own = [
    "I prefer tea",
    "I’m vegetarian",
    "My editor is Helix",
    "ich Tee mag",
    "Mi editor es Helix",
    "我喜欢茶",
  ];
  expect(own.filter((text) => !isPersons(text))).toEqual([]);
  expect(own.filter((text) => isPersons(text, { trust: "inferred" }))).toEqual([]);
  expect(own.filter((text) => isPersons(text, { chat: "work" }))).toEqual([]);
  const others = [
    "We deploy on Fridays",
    "I/O is slow",
    "MySQL 8",
    "我们用 Postgres",
    "User service: port 80",
    "Mia is 8",
  ];
  expect(others.filter((text) => isPersons(text))).toEqual([]);
  const written = ["User preference: dark mode", "Preference: dark mode"];
  expect(written.filter((text) => !isPersons(text, { trust: "inferred" }))).toEqual([]);
  for (const category of ["User Preferences", "user's profile", "About me"])
    expect([category, isPersons("Dark mode", { category, trust: "inferred" })]).toEqual([category, true]);
  for (const category of ["User interface", "Code preferences", "Decisions"])
    expect([category, isPersons("I chose dark mode", { category })]).toEqual([category, false]);
});

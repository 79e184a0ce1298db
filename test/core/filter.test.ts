import { expect, test } from "bun:test";
import fc from "fast-check";
import { matches, parseFilters } from "../../src/core/documents/filter.ts";
import { RetainError } from "../../src/core/errors.ts";

const word = fc.stringMatching(/^[A-Za-z0-9][A-Za-z0-9 _.-]{0,8}[A-Za-z0-9]$/);
const holds = (fields: Record<string, unknown>, ...filters: string[]) =>
  matches(fields, parseFilters(filters));

test("FLT-1: = matches if the field has one of the values, != if it has none", () => {
  fc.assert(
    fc.property(fc.array(word), fc.array(word, { minLength: 1 }), (tags, wanted) => {
      const expected = wanted.some((value) => tags.some((tag) => tag.toLowerCase() === value.toLowerCase()));
      expect(holds({ tags }, `tags=${wanted.join(",")}`)).toBe(expected);
      expect(holds({ tags }, `tags!=${wanted.join(",")}`)).toBe(!expected);
    }),
  );
});

test("FLT-1: an empty value after = matches documents without that field", () => {
  expect(holds({ status: null }, "status=")).toBe(true);
  expect(holds({ tags: [] }, "tags=")).toBe(true);
  expect(holds({ tags: ["a"] }, "tags=")).toBe(false);
  expect(holds({ tags: ["a"] }, "tags!=")).toBe(true);
  expect(holds({}, "priority=high")).toBe(false);
  expect(holds({}, "priority!=high")).toBe(true);
  expect(holds({ reviewed: true }, "reviewed=true")).toBe(true);
  expect(holds({ tags: ["a"] }, "tag=A")).toBe(true);
  expect(holds({ version: 1 }, "version==1")).toBe(true);
});

test("FLT-1: numbers compare as numbers", () => {
  fc.assert(
    fc.property(fc.integer({ min: -3, max: 3 }), fc.integer({ min: -3, max: 3 }), (actual, wanted) => {
      expect(holds({ version: actual }, `version>=${wanted}`)).toBe(actual >= wanted);
      expect(holds({ version: actual }, `version>${wanted}`)).toBe(actual > wanted);
      expect(holds({ version: actual }, `version<=${wanted}`)).toBe(actual <= wanted);
      expect(holds({ version: actual }, `version<${wanted}`)).toBe(actual < wanted);
    }),
  );
});

test("FLT-1: a date covers its whole day, month or year", () => {
  const at = (hours: number) => ({ created_at: new Date(2026, 0, 31, hours).toISOString() });
  expect(holds(at(23), "created_at<=2026-01-31")).toBe(true);
  expect(holds(at(23), "created_at>2026-01-31")).toBe(false);
  expect(holds(at(0), "created_at>=2026-01-31")).toBe(true);
  expect(holds(at(12), "created_at<2026-01-31")).toBe(false);
  expect(holds({ at: "2026-01-31T10:00:00Z" }, "at<=2026-01-31T10:00:00Z")).toBe(true);
  expect(holds({ at: "2026-01-31T10:00:00Z" }, "at>2026-01-31T10:00:00Z")).toBe(false);
  expect(holds(at(12), "created=2026-01-31")).toBe(true);
  expect(holds(at(12), "created_at=2026-01")).toBe(true);
  expect(holds(at(12), "created_at<=2026")).toBe(true);
  expect(holds(at(12), "created_at>2025")).toBe(true);
  expect(holds(at(12), "created_at!=2026-02")).toBe(true);
  expect(holds({ due: "2026-02-01" }, "due>2026-01-31")).toBe(true);
});

test("FLT-1: comparing moments keeps their order on any day", () => {
  const moment = fc.date({ min: new Date("2000-01-01"), max: new Date("2100-01-01"), noInvalidDate: true });
  fc.assert(
    fc.property(moment, moment, (a, b) => {
      expect(holds({ at: a.toISOString() }, `at>=${b.toISOString()}`)).toBe(a >= b);
      expect(holds({ at: a.toISOString() }, `at<${b.toISOString()}`)).toBe(a < b);
    }),
  );
});

test("FLT-1: several filters must all match, repeated or joined by a semicolon", () => {
  const fields = { tags: ["gpu"], priority: "high" };
  expect(holds(fields, "tags=gpu", "priority=high")).toBe(true);
  expect(holds(fields, "tags=gpu", "priority=low")).toBe(false);
  expect(holds(fields, "tags=gpu; priority!=high")).toBe(false);
  expect(holds(fields, " tags = GPU ; priority=high ;")).toBe(true);
});

test("FLT-1: any other text is a usage error, never a crash", () => {
  for (const bad of [
    "",
    " ; ",
    "tags",
    "=x",
    "created_at>=soon",
    "version>1,2",
    "x>",
    "created_at>=2026-13-01",
  ])
    expect(() => parseFilters([bad])).toThrow(RetainError);
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (text) => {
      try {
        matches({ tags: ["a"], created_at: "x", deep: { a: 1 } }, parseFilters([text]));
      } catch (error) {
        expect(error).toBeInstanceOf(RetainError);
      }
    }),
  );
});

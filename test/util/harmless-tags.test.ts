import { expect, test } from "bun:test";
import fc from "fast-check";
import { harmlessTags } from "../../src/util/harmless-tags.ts";

test("MEMTOOL-12: a tag is recognised in every spelling that a model would read as that tag", () => {
  const harmless = harmlessTags(["system-reminder"]);
  for (const tag of [
    "<system-reminder>",
    "</system-reminder>",
    "< / SYSTEM-Reminder >",
    "<\u200bsystem-reminder>",
    "<sys\u00adtem-reminder>",
    "＜system-reminder>",
    "<\\system-reminder>",
    "<sуstеm-гeminder>",
    "<5ystem-rem1nder>",
    "<ſystem-remɪnder>",
  ])
    expect(harmless(`a ${tag} b`)).toBe(`a &lt;${tag.slice(1)} b`);
  expect(harmless("a < b, <system> and <reminder>")).toBe("a < b, <system> and <reminder>");
});

/** Spellings of one letter: any case, width and style, with accents and invisible characters, or a letter of another alphabet. */
function spelling(letter: string) {
  const code = letter.charCodeAt(0) - 97;
  const styles = [
    letter,
    letter.toUpperCase(),
    String.fromCodePoint(0xff41 + code),
    String.fromCodePoint(0x1d41a + code),
    String.fromCodePoint(0x24d0 + code),
  ];
  const foreign = fc
    .integer({ min: 0x80, max: 0x1ffff })
    .map((point) => String.fromCodePoint(point))
    .filter((other) => /^\p{L}$/u.test(other) && !"ᐸᚲ".includes(other))
    .filter((other) => /^(?![a-z])\p{L}/iu.test(other.normalize("NFKD")));
  const base = fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom(...styles) },
    { weight: 1, arbitrary: foreign },
  );
  return fc
    .tuple(base, fc.constantFrom("", "", "\u200b", "\u00ad", "\u0301", "\u034f"))
    .map((parts) => parts.join(""));
}

test("CTX-16: no spelling of a closing tag, with look-alikes of its characters, is left unescaped", () => {
  const harmless = harmlessTags(["recalled", "retain-context"]);
  const closing = fc.tuple(
    fc.constantFrom(..."<＜﹤‹«⟨〈❮ᐸ≺《"),
    fc.constantFrom("", " ", "\n", "\u2060"),
    fc.constantFrom(..."/／\\＼﹨⁄∕⧸⟋╱⧵"),
    fc.tuple(...Array.from("recalled", spelling)).map((letters) => letters.join("")),
    fc.constantFrom(">", "＞", "›", "", " x='1'>"),
  );
  fc.assert(
    fc.property(closing, (parts) => {
      const escaped = harmless(`a ${parts.join("")} b`);
      expect(escaped).toBe(`a &lt;${parts.slice(1).join("")} b`);
      expect(harmless(escaped)).toBe(escaped);
    }),
    { numRuns: 2_000 },
  );
  for (const tag of [
    "<／recalled＞",
    "‹／recalled>",
    "</ʀecalled>",
    "</re㎈led>",
    "</recaỻed>",
    "</re·called>",
  ])
    expect(harmless(tag)).toBe(`&lt;${tag.slice(1)}`);
});

test("other tags, comparisons and quotations stay as they are", () => {
  const harmless = harmlessTags(["recalled", "retain-context", "input"]);
  for (const text of [
    "</div> <br/> <b>recalled</b> </real> Map<string, Array<number>> </> <!-- recall -->",
    "x < 10, <1000 ms, <100 edits, <€1000, a <= b, 1 << 20, <3, <https://example.com/recalled>",
    "«вечерний поезд», «Война и мир», «„Бесы“ Достоевского», « oui », ‹nein›",
    "《红楼梦第一回》和《数据结构与算法 design》，〈使用 docker 部署〉, <你的用户名>",
  ])
    expect(harmless(text)).toBe(text);
});

test("a text full of brackets takes linear time", () => {
  const harmless = harmlessTags(["recalled", "system-reminder"]);
  for (const part of ["«", "< ", "«.", "<r", "«re", "≺\u200b", "</.."])
    expect(harmless(part.repeat(50_000))).toBe(part.repeat(50_000));
});

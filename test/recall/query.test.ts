import { expect, test } from "bun:test";
import fc from "fast-check";
import { cjkBigrams, withoutCjk } from "../../src/core/text/cjk.ts";
import { parseQuery } from "../../src/recall/query.ts";

const NOW = new Date(2026, 10, 18, 15, 30);
const parse = (text: string) => parseQuery(text, NOW, []);
const words = (text: string) => parse(text).words;

test("the text is the input without control characters and repeated white space", () => {
  expect(parse("  what\t did\u0000 I\u0007\n say \ud800 ").text).toBe("what did I say");
  expect(parse("").text).toBe("");
  expect(parse("\u0000 \n").words).toEqual([]);
});

test("words that ask for a time or for the present state are not searched for", () => {
  expect(words("On which days do we ship to production?")).toEqual(["ship", "production"]);
  expect(words("Where is my home these days?")).toEqual(["home"]);
  expect(words("An welchem Tag ist Fußball?")).toEqual(["fußball"]);
  expect(words("¿A qué hora es la clase?")).toEqual(["clase"]);
});

test("such words are searched for as part of a name, in quotes, or alone", () => {
  expect(words("Which time zone am I in?")).toEqual(["time", "zone"]);
  expect(words("What date format do we use?")).toEqual(["date", "format", "use"]);
  expect(words('who sang "these days"')).toEqual(["sang", "days"]);
  expect(words("these days")).toEqual(["these", "days"]);
});

test("words are lower case, in order, once each, without stop words", () => {
  expect(words("What did Caroline say about the GPU, and the gpu kernels?")).toEqual([
    "caroline",
    "say",
    "gpu",
    "kernels",
  ]);
  expect(words("state-of-the-art foo_bar x.y@example.com src/core/chunk.ts v1.2")).toEqual([
    "state",
    "art",
    "foo",
    "bar",
    "x",
    "y",
    "example",
    "com",
    "src",
    "core",
    "chunk",
    "ts",
    "v1",
    "2",
  ]);
  expect(words("naïve Übergröße हिन्दी и Ёлка")).toEqual(["naïve", "übergröße", "हिन्दी", "и", "ёлка"]);
  expect(words("cafe\u0301 café")).toEqual(["café"]);
});

test("a query of only stop words keeps them", () => {
  expect(words("what was it?")).toEqual(["what", "was", "it"]);
  expect(words("what's that")).toEqual(["what", "that"]);
  expect(words('what is "it"')).toEqual(["what", "is", "it"]);
  expect(words("what is 机器")).toEqual([]);
  expect(words("who is auth*")).toEqual([]);
});

test("a contraction leaves no stray letter", () => {
  expect(words("don't you know he'll say it's Caroline’s")).toEqual(["know", "say", "caroline"]);
  expect(words("O'Brien l'école rock'n'roll the '90s dogs'")).toEqual([
    "brien",
    "école",
    "rock",
    "roll",
    "90s",
    "dogs",
  ]);
});

test("German, French and Spanish function words are dropped; English words that look like them stay", () => {
  expect(words("wann wurde das Projekt von Anna gestartet")).toEqual(["projekt", "anna", "gestartet"]);
  expect(words("où sont les fichiers")).toEqual(["fichiers"]);
  expect(words("dónde está el archivo")).toEqual(["archivo"]);
  expect(words("die hat war mit pour son comment la")).toEqual([
    "die",
    "hat",
    "war",
    "mit",
    "pour",
    "son",
    "comment",
    "la",
  ]);
});

test("a capitalised stop word in mixed case is a name", () => {
  expect(words("the IT department")).toEqual(["it", "department"]);
  expect(words("US visa for the WHO")).toEqual(["us", "visa", "who"]);
  expect(words("WHAT IS THE IT POLICY")).toEqual(["policy"]);
  expect(words("what did I say to A")).toEqual(["say"]);
});

test("SEARCH-4: a quoted phrase must occur verbatim", () => {
  expect(parse('find "State of the Art" now').phrases).toEqual([["state", "of", "the", "art"]]);
  expect(parse('“curly ones” „deutsch“ «guillemets» ("in brackets")').phrases).toEqual([
    ["curly", "ones"],
    ["deutsch"],
    ["guillemets"],
    ["in", "brackets"],
  ]);
  expect(parse('"don\'t stop"').phrases).toEqual([["don", "t", "stop"]]);
  expect(words('find "State of the Art" now')).toEqual(["find", "state", "art", "now"]);
  expect(parse('"机器学习 GPU"').phrases).toEqual([["gpu"], ["机器", "器学", "学习"]]);
});

test("SEARCH-4: an unclosed quote is a plain character", () => {
  for (const text of ['a 5" pipe', '5" and 6" pipes', '"unbalanced gpu', "“half gpu", '""', '" "', 'x"y"'])
    expect(parse(text).phrases).toEqual([]);
  expect(words('"unbalanced gpu')).toEqual(["unbalanced", "gpu"]);
});

test("SEARCH-4: a minus in front of a word or a phrase excludes it", () => {
  const query = parse('gpu -metal -"Core ML" -foo-bar -机器学习');
  expect(query.excluded).toEqual([["metal"], ["core", "ml"], ["foo", "bar"], ["机器", "器学", "学习"]]);
  expect(query.words).toEqual(["gpu"]);
  expect(parse("-metal").words).toEqual([]);
  expect(parse("-metal").excluded).toEqual([["metal"]]);
});

test("SEARCH-4: any other minus is a plain character", () => {
  for (const text of [
    "-5 degrees",
    "--flag",
    "a - b",
    "x-y@z.org",
    "-",
    "- x",
    "co-op",
    '-"',
    "-_x",
    "well -",
  ])
    expect(parse(text).excluded).toEqual([]);
  expect(words("--flag -5")).toEqual(["flag", "5"]);
});

test("SEARCH-4: tag:x filters by tag, also with a quoted tag of two words", () => {
  const query = parse('notes tag:GPU tag:"Two Words" TAG:“x y”, (tag:z) tag:gpu');
  expect(query.tags).toEqual(["gpu", "two words", "x y", "z"]);
  expect(query.words).toEqual(["notes"]);
  expect(query.meaning).not.toContain("GPU");
  for (const text of ["tag: x", "tag:", "hashtag:x", "#x", 'tag:""', 'tag:" "'])
    expect(parse(text).tags).toEqual([]);
  expect(parse('tag:"half').tags).toEqual(["half"]);
});

test("SEARCH-4: a star after a word searches by prefix", () => {
  const query = parse("AUTH* foo-conf*, (perm*)");
  expect(query.prefixes).toEqual(["auth", "conf", "perm"]);
  expect(query.words).toEqual(["foo"]);
  for (const text of ["a*", "a*b", "**bold**", "*emphasis*", "5 * 3", "*", "机器*"])
    expect(parse(text).prefixes).toEqual([]);
  expect(words("**bold** a*b")).toEqual(["bold", "b"]);
});

test("SEARCH-4: FTS5 operators are plain text", () => {
  const query = parse("gpu AND (metal OR cuda) NOT foo:bar NEAR ^start {col}");
  expect(query.words).toEqual(["gpu", "metal", "cuda", "foo", "bar", "near", "start", "col"]);
  expect([query.phrases, query.excluded, query.tags, query.prefixes]).toEqual([[], [], [], []]);
});

test("the text is embedded without operators, exclusions and tags", () => {
  expect(parse('What about "the engine"? -boat tag:car auth* (see "x")').meaning).toBe(
    "What about the engine? auth (see x)",
  );
  expect(parse("-a tag:b").meaning).toBe("");
});

test("the period is read outside quotes and operators", () => {
  expect(parse("what did I do last week?").period?.said).toBe("last week");
  expect(parse('lyrics "last week" -yesterday tag:today').period).toBeNull();
  expect(parse('"a b" in May 2023').period?.said).toBe("in May 2023");
  expect(parse('in "quoted" May').period).toBeNull();
});

test("SEARCH-5: CJK is searched by bigrams", () => {
  expect(cjkBigrams("机器学习")).toEqual(["机器", "器学", "学习"]);
  expect(cjkBigrams("我 like 东京タワー, 회의!")).toEqual(["我", "东京", "京タ", "タワ", "ワー", "회의"]);
  expect(cjkBigrams("𠮷野家")).toEqual(["𠮷野", "野家"]);
  expect(cjkBigrams("ｶﾀ")).toEqual(["カタ"]);
  expect(cjkBigrams("한국어")).toEqual(["한국", "국어"]);
  expect(cjkBigrams("한국".normalize("NFD"))).toEqual(["한국"]);
  expect(cjkBigrams("latin, кириллица 123 、。")).toEqual([]);
  expect(words("iPhone手机 机器学习 GPU")).toEqual(["iphone", "gpu"]);
  expect(withoutCjk("iPhone手机 GPU")).toBe("iPhone  GPU");
});

const piece = fc.oneof(
  fc.constantFrom(
    ..."\" “ ” „ - * ' ’ ( ) tag: -\" AND 机器 \u0000 \ud800 the don't 5 x \u0301 😀".split(" "),
  ),
  fc.constant(" "),
  fc.string({ maxLength: 4 }),
  fc.string({ unit: "binary", maxLength: 4 }),
);
const typed = fc.array(piece, { maxLength: 40 }).map((pieces) => pieces.join(""));

test("SEARCH-4: any text is a query; words are letters, numbers and marks, 64 at most", () => {
  const isWord = /^(?=.*[\p{L}\p{N}])[\p{L}\p{N}\p{M}]+$/u;
  fc.assert(
    fc.property(typed, (text) => {
      const query = parse(text);
      const each = [...query.words, ...query.prefixes, ...query.phrases.flat(), ...query.excluded.flat()];
      expect(each.filter((word) => !isWord.test(word))).toEqual([]);
      expect(each.filter((word) => word !== word.toLowerCase().normalize("NFC"))).toEqual([]);
      expect(new Set(query.words).size).toBe(query.words.length);
      expect([...query.phrases, ...query.excluded].filter((phrase) => phrase.length === 0)).toEqual([]);
      expect(query.tags.filter((tag) => tag.trim() === "")).toEqual([]);
      expect(query.text).not.toMatch(/[\u0000-\u001f\u007f-\u009f]|\s\s|^\s|\s$/);
      expect(parse(query.text)).toEqual(query);
    }),
    { numRuns: 3_000 },
  );
  for (const noWord of ["⺀", "\u3099", "〡\u3099"])
    expect(parse(`"${noWord}"`).phrases).toEqual(noWord.length > 1 ? [[noWord]] : []);
  const many = parse(Array.from({ length: 10_000 }, (_, index) => `word${index}`).join(" ")).words;
  expect(many.length).toBe(64);
  expect(many.at(-1)).toBe("word63");
  expect(parse("-x ".repeat(1_000)).excluded.length).toBe(64);
});

test("SEARCH-4: any long text takes linear time", () => {
  for (const unit of [
    '« " ',
    '-"a ',
    "tag:,,,,",
    "a*",
    "’",
    "é'",
    '"',
    "„",
    "机器",
    "1 ",
    "in May ",
    "\u0301",
    "- ",
  ])
    parse(unit.repeat(300_000 / unit.length));
}, 30_000);

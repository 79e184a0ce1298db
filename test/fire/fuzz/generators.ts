/** Almost valid texts: pieces of a format, damaged as disks, editors and attackers would. */
import fc from "fast-check";

/** Strings that break text parsers of any format. */
const HOSTILE = [
  ..."\0\t\n\r\u2028\u2029\ufeff\u202e\u200b\u0301\ud800\udc00\u{1f469}\u{e0041}",
  ...["\r\n", "\n\n", "e\u0301", "constructor", "__proto__", "toString", "'", '"', "`", "```", "~~~", "\\"],
  ...[
    "{",
    "}",
    "[",
    "]",
    "(",
    ")",
    "<",
    ">",
    "</",
    "/>",
    "<!--",
    "-->",
    "&",
    "*",
    "#",
    "-",
    "---",
    "...",
    ":",
    ";",
  ],
  ...[
    "NaN",
    "-0",
    "1e999",
    "9007199254740993",
    "0x10",
    "null",
    "true",
    "~",
    "2026-02-30",
    "24:61",
    "%",
    "$&",
    "$1",
  ],
];

const hostile = fc.oneof(
  fc.constantFrom(...HOSTILE),
  fc.string({ maxLength: 12 }),
  fc.string({ unit: "grapheme", maxLength: 6 }),
  fc.string({ unit: "binary", maxLength: 6 }),
  fc
    .tuple(fc.constantFrom(...HOSTILE), fc.integer({ min: 2, max: 300 }))
    .map(([text, times]) => text.repeat(times)),
);

/** Damage: a position as a share of the length, and a replacement. */
const damage = fc.record({
  from: fc.double({ min: 0, max: 1, noNaN: true }),
  length: fc.integer({ min: 0, max: 40 }),
  put: fc.oneof(fc.constant(""), hostile),
  repeats: fc.boolean(),
});

function damaged(
  text: string,
  { from, length, put, repeats }: typeof damage extends fc.Arbitrary<infer D> ? D : never,
): string {
  const at = Math.floor(from * text.length);
  const taken = text.slice(at, at + length);
  return text.slice(0, at) + put + (repeats ? taken + taken : "") + text.slice(at + length);
}

/** Texts of these pieces, intact or damaged in up to four places. */
export function textsOf(pieces: readonly string[], separator = ""): fc.Arbitrary<string> {
  const piece = fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom(...pieces) },
    { weight: 1, arbitrary: hostile },
  );
  const whole = fc.array(piece, { maxLength: 24 }).map((parts) => parts.join(separator));
  return fc.tuple(whole, fc.array(damage, { maxLength: 4 })).map(([text, all]) => all.reduce(damaged, text));
}

export const anyJson: fc.Arbitrary<unknown> = fc.oneof(
  fc.jsonValue({ maxDepth: 3 }),
  fc.dictionary(
    fc.constantFrom("constructor", "__proto__", "toString", "id", "type"),
    fc.jsonValue({ maxDepth: 1 }),
  ),
);

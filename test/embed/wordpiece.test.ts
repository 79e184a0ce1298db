import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { loadModel } from "../../src/embed/minilm/graph-cache.ts";
import { Vocabulary } from "../../src/embed/minilm/vocabulary.ts";
import { WordPiece } from "../../src/embed/minilm/wordpiece.ts";
import { MAX_TOKENS } from "../../src/embed/model.ts";
import { HARD_TEXTS } from "./hard-texts.ts";
import { codePointBlocks, codePointTexts, digestOf, referenceDigests, referenceTokens } from "./reference.ts";
import { sampleTexts } from "./sample-texts.ts";
import { sharedCache } from "./shared-model.ts";

const tokenizer = new WordPiece(Vocabulary.fromBytes(loadModel(sharedCache()).vocabulary));
const encode = (text: string, limit = MAX_TOKENS) => tokenizer.encode(text, limit);

describe("against the reference", () => {
  test("tokens match the reference on a thousand mixed texts and on the hard ones", () => {
    const texts = [...HARD_TEXTS, ...sampleTexts()];
    const expected = referenceTokens();
    expect(expected.length).toBe(texts.length);
    const wrong = texts
      .map((text, at) => ({ text, ids: encode(text), expected: expected[at] }))
      .filter(({ ids, expected }) => String(ids) !== String(expected));
    expect(wrong).toEqual([]);
  });

  test("every Unicode character has the reference's class", () => {
    const expected = referenceDigests();
    const wrong = codePointBlocks().filter(
      (block, at) => digestOf(codePointTexts(block).map((text) => encode(text))) !== expected[at],
    );
    expect(wrong.map((block) => `U+${(block * 4096).toString(16)} and after`)).toEqual([]);
  });
});

describe("properties", () => {
  const anyText = fc.string({ unit: "binary", maxLength: 400 });

  test("any text gives at most 256 tokens between the first and the last", () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const ids = encode(text);
        expect([ids[0], ids.at(-1)]).toEqual([101, 102]);
        expect(ids.length).toBeLessThanOrEqual(MAX_TOKENS);
        expect(ids.every((id) => Number.isInteger(id) && id >= 0 && id < 30522)).toBeTrue();
      }),
    );
  });

  test("a text that is too long is cut at the end", () => {
    fc.assert(
      fc.property(anyText, fc.integer({ min: 2, max: 40 }), (text, limit) => {
        const all = encode(text, 100_000).slice(0, -1);
        expect(encode(text, limit)).toEqual([...all.slice(0, limit - 1), 102]);
      }),
    );
  });

  test("the hash table finds the longest piece, as a plain search does", () => {
    const letters = fc.string({ unit: fc.constantFrom("a", "b", "é", "#"), minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(fc.uniqueArray(letters, { minLength: 1, maxLength: 30 }), letters, (tokens, word) => {
        const vocabulary = Vocabulary.fromBytes(Vocabulary.of(tokens).toBytes());
        for (let start = 0; start < word.length; start++) {
          const spelled = (length: number) => `${start > 0 ? "##" : ""}${word.slice(start, start + length)}`;
          const plain = tokens
            .map((token, id) => ({ id, length: token.length - (start > 0 ? 2 : 0), token }))
            .filter(({ token, length }) => length > 0 && token === spelled(length))
            .filter(({ token }) => start > 0 || !isContinuing(token))
            .sort((a, b) => b.length - a.length)[0];
          expect(vocabulary.longestAt(word, start)).toBe(plain?.id ?? -1);
        }
      }),
      { numRuns: 500 },
    );
  });
});

function isContinuing(token: string): boolean {
  return token.startsWith("##") && token.length > 2;
}

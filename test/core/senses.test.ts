import { expect, test } from "bun:test";
import fc from "fast-check";
import { senseMatch, sensesOf, vectorOnly } from "../../src/core/senses.ts";

const DIMENSIONS = 128;

const token = fc.array(fc.integer({ min: -9, max: 9 }), { minLength: DIMENSIONS, maxLength: DIMENSIONS });
const tokens = fc.array(token, { minLength: 1, maxLength: 9 });
type Tokens = readonly (readonly number[])[];

function senses(all: Tokens): Uint8Array {
  return sensesOf(Float32Array.from(all.flat()), DIMENSIONS);
}

function asked(all: Tokens) {
  return { vector: new Float32Array(DIMENSIONS), senses: senses(all) };
}

/** Compares signs one by one. */
function matchByDefinition(question: Tokens, text: Tokens) {
  const agreement = (a: readonly number[], b: readonly number[]) =>
    (2 * a.filter((value, at) => value > 0 === (b[at] ?? 0) > 0).length) / DIMENSIONS - 1;
  const best = question.map((one) => Math.max(...text.map((other) => agreement(one, other))));
  return { mean: best.reduce((sum, value) => sum + value, 0) / best.length, weakest: Math.min(...best) };
}

test("a match is the agreement of the question's words with the nearest ones of the text: their mean and the least", () => {
  fc.assert(
    fc.property(tokens, tokens, (question, text) => {
      const match = senseMatch(asked(question), senses(text));
      const { mean, weakest } = matchByDefinition(question, text);
      expect(match.mean).toBeCloseTo(mean, 6);
      expect(match.weakest).toBeCloseTo(weakest, 6);
    }),
  );
});

test("a text matches itself completely, also as a part of a longer one", () => {
  fc.assert(
    fc.property(tokens, tokens, (one, other) => {
      expect(senseMatch(asked(one), Uint8Array.from([...senses(other), ...senses(one)])).weakest).toBeCloseTo(
        1,
        6,
      );
    }),
  );
});

test("in a long text neighbouring tokens share a sense, so that it has at most 64", () => {
  fc.assert(
    fc.property(fc.integer({ min: 65, max: 300 }), token, (count, one) => {
      const all = senses(Array.from({ length: count }, () => one));
      expect((all.length * 8) / DIMENSIONS).toBeLessThanOrEqual(64);
      expect(senseMatch(asked([one]), all).mean).toBeCloseTo(1, 6);
    }),
  );
});

test("a model that gives one vector per text has no senses", () => {
  expect(vectorOnly(Float32Array.of(1)).senses).toHaveLength(0);
});

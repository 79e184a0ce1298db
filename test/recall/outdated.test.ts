/** Which messages answer with a fact that has ended. */
import { expect, test } from "bun:test";
import { outdatedSince } from "../../src/recall/outdated.ts";

test("RECALL-6: a message that stated an ended fact is outdated, unless the question is about another part of it", () => {
  const text = "The ferry leaves on Mondays and the captain is Ola. The heron is called Rex.";
  const facts = [
    { chunkId: 1, id: "a", text: "The ferry leaves on Mondays", endedAt: null, replacedBy: null },
    { chunkId: 1, id: "b", text: "The captain is Ola", endedAt: 100, replacedBy: null },
    { chunkId: 1, id: "c", text: "The heron is called Rex", endedAt: null, replacedBy: null },
  ];
  const ended = (...words: string[]) => outdatedSince(text, facts, words, 200);
  expect(ended("heron")).toBeNull();
  // One sentence states both, and the question may be about the ferry.
  expect(ended("ferry")).toBeNull();
  // By meaning alone: the facts that still hold are found as facts.
  expect(ended("boss")).toBe(100);
  expect(outdatedSince(text, facts, ["boss"], 50)).toBeNull();
});

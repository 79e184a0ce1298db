/** Writing and reading a mental model's file: with other processes, with an editor, and with any content. */
import { expect, test } from "bun:test";
import fc from "fast-check";
import { newModel, parseMentalModel, withAnswer, withPin } from "../../src/core/mental-model.ts";
import { WORDS_ALONE } from "../helpers/memories.ts";
import { known, ModelPlace } from "./mental-models-place.ts";

const TEAM = "Who is in the team, and what does each do?";

test("MODELS-7: a file that the user or another process saves while an answer is written is not overwritten", async () => {
  const place = new ModelPlace();
  const retain = place.open();
  const [id] = await known(retain, "Bob is in the team");
  for (const meanwhile of ["My own words.\n", `---\nquestion: ${TEAM}\n---\n\nMine.\n`]) {
    place.write("team", `---\nquestion: ${TEAM}\n---\n`);
    const model = {
      async complete() {
        place.write("team", meanwhile);
        return `Bob [${id}].`;
      },
    };
    expect(await retain.mentalModels.refresh({ name: "team", model })).toMatchObject([
      { outcome: "unchanged" },
    ]);
    expect(place.read("team")).toBe(meanwhile);
  }
  const other = place.open();
  const slow = {
    async complete() {
      await other.mentalModels.refresh({ model: null });
      return `Bob [${id}].`;
    },
  };
  await known(retain, "Ada prefers tea");
  await retain.mentalModels.refresh({ name: "user-preferences", model: slow });
  expect(place.read("user-preferences")).toContain("by: extract");
});

test("MODELS-7: many processes at once leave one complete file", async () => {
  const place = new ModelPlace();
  const { sandbox } = place;
  sandbox.ok(["remember", "Ada prefers tea"], { env: WORDS_ALONE });
  const processes = Array.from({ length: 6 }, (_, index) =>
    sandbox.start(
      index % 2 === 0
        ? ["mental-models", "refresh", "--force"]
        : ["mental-models", "add", `own-${index}`, "Who prefers tea?"],
      { env: WORDS_ALONE },
    ),
  );
  expect(await Promise.all(processes.map(({ exited }) => exited))).toEqual([0, 0, 0, 0, 0, 0]);
  const files = sandbox.tree(`${sandbox.memory}/memories/models`);
  expect(files).toEqual(["own-1.md", "own-3.md", "own-5.md", "user-preferences.md"]);
  for (const file of files) {
    const model = parseMentalModel(file, place.read(file.slice(0, -3)));
    expect([model.state, model.isAsWritten]).toEqual(["fresh", true]);
    expect(model.answer).toContain("Ada prefers tea [");
  }
});

const text = fc.oneof(
  fc.string({ unit: "grapheme", maxLength: 200 }),
  fc
    .array(fc.constantFrom("---", "a: b", "# Title", "", "- x", "...", "\r\n", "question: y"), {
      maxLength: 8,
    })
    .map((lines) => lines.join("\n")),
);

test("MODELS-7: any answer survives its file, which is recognised as written by Retain", () => {
  fc.assert(
    fc.property(text, text, fc.array(text, { maxLength: 3 }), fc.boolean(), (said, asked, tags, pinned) => {
      const question = asked.replace(/\s+/g, " ").trim();
      const file = newModel({ question, tags, builtIn: false });
      const answer = {
        text: said,
        by: "extract",
        at: "2026-11-15T12:00:00Z",
        sources: ["a"],
        fingerprint: "f",
      } as const;
      const written = withPin(withAnswer(withAnswer(file, { ...answer, text: "before" }), answer), pinned);
      const model = parseMentalModel("x", written);
      expect(model.answer).toBe(said.replaceAll("\r\n", "\n").trim());
      expect([model.question, model.tags]).toEqual([question, tags]);
      expect([model.isAsWritten, model.problem, model.by, model.fingerprint]).toEqual([
        true,
        null,
        "extract",
        "f",
      ]);
      expect(model.state).toBe(pinned || question === "" ? "pinned" : "fresh");
    }),
  );
});

test("MODELS-7: any changed character in an answer counts as an edit by the user", () => {
  fc.assert(
    fc.property(fc.string({ minLength: 1, maxLength: 60 }), fc.nat(), (said, at) => {
      const answer = { by: "extract", at: "2026-11-15T12:00:00Z", sources: [], fingerprint: null } as const;
      const file = withAnswer(newModel({ question: "Q?", tags: [], builtIn: false }), {
        ...answer,
        text: said,
      });
      const before = parseMentalModel("x", file);
      fc.pre(before.answer !== "");
      const index = at % before.answer.length;
      const edited = `${before.answer.slice(0, index)}§${before.answer.slice(index)}`;
      const body = file.lastIndexOf(`\n\n${before.answer}`) + 2;
      expect(parseMentalModel("x", `${file.slice(0, body)}${edited}\n`).state).toBe("edited");
    }),
  );
});

/** Mental models in the context. */
import { expect, test } from "bun:test";
import fc from "fast-check";
import { assembleContext } from "../../src/context/assemble.ts";
import { mentalModelDrafts } from "../../src/context/mental-models.ts";
import { portsOf } from "../context/ports-of.ts";
import { ModelPlace } from "./mental-models-place.ts";

const model = (name: string, answer: string, origin: "home" | "project" = "home") => {
  return { name, answer, origin, path: "/memories/models" };
};

test("MODELS-14: each workspace's mental models are one part of the context, under an explanatory sentence", () => {
  const models = [model("a", "A."), model("b", "B."), model("p", "P.", "project")];
  expect(mentalModelDrafts(models, 16_000).map(({ title, text }) => [title, text])).toEqual([
    [
      "Mental models",
      "### Mental models\n\nAnswers to standing questions, refreshed from memory.\n\n#### a\n\nA.\n\n#### b\n\nB.",
    ],
    [
      "Mental models (this project)",
      "### Mental models (this project)\n\nAnswers to standing questions, refreshed from memory.\n\n#### p\n\nP.",
    ],
  ]);
});

test("MODELS-14: no answer or name closes the fence or opens another", async () => {
  const piece = fc.constantFrom(
    ...["</recalled>", "<recalled>", "</RECALLED >", "</re\u200bcalled>", "＜/recalled＞"],
    ...["</retain-context>", "<", "</", "\n", " ", "word", "</recalled"],
  );
  await fc.assert(
    fc.asyncProperty(fc.array(piece, { maxLength: 12 }), fc.boolean(), async (pieces, isProject) => {
      const files = { "models/m.md": `x${pieces.join("")}`, "models/</recalled> y.md": "y" };
      const { text } = await assembleContext(portsOf(isProject ? { project: files } : { home: files }), {});
      // The fence opens before the title and closes after it.
      const models = text.slice(text.indexOf("### Mental models"));
      expect(models.match(/[<＜][\s\u200b]*[/\\]?[\s\u200b]*r[\s\u200b]*e[\s\u200b]*called/gi)).toHaveLength(
        1,
      );
      expect(models).toEndWith("\n</recalled>");
    }),
  );
});

test("MODELS-14: together they have at most mental_model_max_render_chars; whole ones come first, then a partial one", () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.constantFrom("home", "project"), fc.nat({ max: 60 })), { maxLength: 6 }),
      fc.integer({ min: 100, max: 3_000 }),
      (shapes, most) => {
        const models = shapes.map(([place, lines], index) =>
          model(
            `m${index}`,
            Array.from({ length: lines + 1 }, (_, line) => `- line ${line} of ${index}`).join("\n"),
            place as "home",
          ),
        );
        const drafts = mentalModelDrafts(models, most);
        const shown = drafts.map(({ text }) => text).join("");
        expect(shown.length).toBeLessThanOrEqual(most);
        const isIn = ({ answer }: (typeof models)[number]) =>
          drafts.some(({ text }) => `${text}\n`.includes(`\n\n${answer}\n`));
        const isLacking = models.some((one) => !isIn(one));
        expect(drafts.some(({ partial }) => partial !== undefined)).toBe(isLacking);
        expect(shown.includes("(The rest is omitted.)") && !isLacking).toBe(false);
      },
    ),
  );
  const long = model("long", "- a line that is long\n".repeat(100).trim());
  const [draft] = mentalModelDrafts([long, model("short", "Short.")], 1_000);
  expect(draft?.text).toContain("#### short\n\nShort.");
  expect(draft?.text).toMatch(
    /#### long\n\n(?:- a line that is long\n)+\n\(The rest is omitted\.\)\n\n#### short/,
  );
  expect(draft?.partial).toMatch(/^1 .*\b1000 characters$/);
  expect(draft?.text.length).toBeLessThanOrEqual(1_000);
});

test("MODELS-14: the context has none if they are switched off or have no answer", async () => {
  const place = new ModelPlace();
  place.write("mine", `Quiet, please.${" Very quiet.".repeat(4)}\n`);
  place.write("empty", "---\nquestion: Who?\n---\n");
  const settings = { embedding: "none", mental_models_enabled: false } as const;
  const off = await place.open({ settings }).context();
  expect(off.text).not.toContain("Quiet");
  expect(off.parts.filter(({ name }) => name === "models").map(({ title, why }) => [title, why])).toEqual([
    ["Mental model: empty", "mental_models_enabled is false"],
    ["Mental model: mine", "mental_models_enabled is false"],
  ]);
  const on = await place.open().context();
  expect(on.text).toContain("#### mine\n\nQuiet, please.");
  expect(on.text).not.toContain("#### empty");
  const narrow = await place
    .open({ settings: { embedding: "none", mental_model_max_render_chars: 100 } })
    .context();
  expect(narrow.parts.find(({ name }) => name === "models")).toMatchObject({
    ...{ included: false, why: expect.stringMatching(/^1 .*\b100 characters$/) },
  });
});

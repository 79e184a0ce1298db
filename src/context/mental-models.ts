/** Mental models in a context: one part per workspace. They are in the cached prefix, so the text depends on the files alone. */
import type { Origin } from "../core/memory.ts";
import { plural } from "../util/in-words.ts";
import { harmless } from "./fence.ts";
import type { Draft } from "./parts.ts";
import { choose } from "./shorten.ts";

export interface ShownMentalModel {
  readonly origin: Origin;
  readonly name: string;
  /** Markdown. */
  readonly answer: string;
  /** Its directory. */
  readonly path: string;
}

const NOTICE = "Answers to standing questions, refreshed from memory.";
const REST = "(The rest is omitted.)";
/** A shorter excerpt is not worth showing. */
const LEAST_CHARACTERS = 200;
const GAP = "\n\n";

/** One draft per workspace that has any, up to `most` characters in total: whole mental models first, in order. */
export function mentalModelDrafts(models: readonly ShownMentalModel[], most: number): Draft[] {
  const printed = fitting(models, most);
  const groups = Map.groupBy(models, ({ origin }) => origin);
  return [...groups].map(([origin, own]) => {
    const texts = own.flatMap((model) => printed.get(model) ?? []);
    const isWhole = (model: ShownMentalModel) => printed.get(model) === printedOf(model, model.answer);
    const lacking = own.filter((model) => !isWhole(model)).length;
    const partial = `${plural(lacking, "mental model does", "mental models do")} not fit completely into ${most} characters`;
    return {
      name: "models",
      title: titleOf(origin),
      ...(own[0] !== undefined && { path: own[0].path }),
      text: texts.length === 0 ? "" : blockOf(origin, texts),
      ...(lacking > 0 && { partial }),
      shorten: (tokens: number) =>
        choose(
          texts,
          (text) => text,
          (some) => blockOf(origin, some),
          tokens,
        )?.text ?? null,
    };
  });
}

/** The text for each shown mental model. */
function fitting(models: readonly ShownMentalModel[], most: number): ReadonlyMap<ShownMentalModel, string> {
  const printed = new Map<ShownMentalModel, string>();
  const begun = new Set<Origin>();
  let left = most;
  const room = (origin: Origin) => left - (begun.has(origin) ? GAP.length : blockOf(origin, [""]).length);
  const take = (model: ShownMentalModel, text: string) => {
    left = room(model.origin) - text.length;
    begun.add(model.origin);
    printed.set(model, text);
  };
  for (const model of models) {
    const whole = printedOf(model, model.answer);
    if (whole.length <= room(model.origin)) take(model, whole);
  }
  for (const model of models) {
    const shorter = printed.has(model) ? null : shortened(model, room(model.origin));
    if (shorter !== null) take(model, shorter);
  }
  return printed;
}

/** Whole lines from the top; null if hardly anything fits. */
function shortened(model: ShownMentalModel, room: number): string | null {
  const lines = model.answer.split("\n");
  for (let count = lines.length - 1; count > 0; count--) {
    const kept = lines.slice(0, count).join("\n").trimEnd();
    if (kept.length < LEAST_CHARACTERS) return null;
    const text = printedOf(model, `${kept}${GAP}${REST}`);
    if (text.length <= room) return text;
  }
  return null;
}

function printedOf({ name }: ShownMentalModel, answer: string): string {
  return harmless(`#### ${name}${GAP}${answer}`);
}

function titleOf(origin: Origin): string {
  return origin === "project" ? "Mental models (this project)" : "Mental models";
}

function blockOf(origin: Origin, texts: readonly string[]): string {
  return [`### ${titleOf(origin)}`, NOTICE, ...texts].join(GAP);
}

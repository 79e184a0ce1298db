/**
 * The names that an argument can have: facts, sessions, models, skills, mental models. They are loaded in the background, because no
 * key may wait for them.
 */
import { RetainError } from "../../core/errors.ts";
import { localDay } from "../../util/days.ts";
import { plural } from "../../util/in-words.ts";
import { oneLine } from "../../util/text.ts";
import { offerInWords } from "../model-offer.ts";
import type { ChatPorts } from "../ports.ts";

/** "texts": facts, completed to their id and text, for editing. */
export type KnownKind =
  | "facts"
  | "texts"
  | "unconfirmed"
  | "sessions"
  | "models"
  | "skills"
  | "mental-models";

interface Choice {
  readonly value: string;
  readonly detail: string;
}

/** A choice, and what a search for it compares. */
interface Name extends Choice {
  readonly words: string;
}

interface Loaded {
  readonly names: readonly Name[];
  readonly isLoading: boolean;
}

type Ports = Pick<ChatPorts, "facts" | "store" | "models" | "skills" | "mentalModels">;

const MOST_SESSIONS = 1_000;
const NOTHING: Loaded = { names: [], isLoading: false };

export class Known {
  /** Called when `find` may return more than before. */
  onChange: () => void = () => {};
  readonly #loaded = new Map<KnownKind, Loaded>();
  /** The last call of `find`. A front end repeats it after `onChange`, and that must not load the names once more. */
  #asked = "";

  constructor(private readonly ports: Ports) {}

  /** The names that contain every word; without words all of them, and they are loaded again. Never waits. */
  find(kind: KnownKind, chat: string, typed: string): readonly Choice[] {
    const asked = `${kind} ${typed}`;
    const isAgain = asked === this.#asked;
    this.#asked = asked;
    if ((typed === "" && !isAgain) || !this.#loaded.has(kind)) this.#load(kind, chat);
    const { names } = this.#loaded.get(kind) ?? NOTHING;
    if (isComplete(names, typed)) return [];
    const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
    return words.length === 0
      ? names
      : names.filter((one) => words.every((word) => one.words.includes(word)));
  }

  #load(kind: KnownKind, chat: string): void {
    const { names, isLoading } = this.#loaded.get(kind) ?? NOTHING;
    if (isLoading) return;
    this.#loaded.set(kind, { names, isLoading: true });
    // Later, so that the key which asked for them is drawn first.
    setTimeout(async () => {
      const found = await this.#namesOf(kind, chat).catch((error: unknown) => {
        if (!(error instanceof RetainError)) throw error;
        return names;
      });
      this.#loaded.set(kind, { names: found, isLoading: false });
      this.onChange();
    });
  }

  async #namesOf(kind: KnownKind, chat: string): Promise<Name[]> {
    const choices = await this.#choicesOf(kind, chat);
    return choices.map(({ value, detail }) => ({
      value,
      detail: oneLine(detail),
      words: `${value} ${detail}`.toLowerCase(),
    }));
  }

  async #choicesOf(kind: KnownKind, chat: string): Promise<Choice[]> {
    const { facts, store, models, skills, mentalModels } = this.ports;
    switch (kind) {
      case "facts":
      case "texts":
      case "unconfirmed": {
        const found = await facts.list({ unconfirmed: kind === "unconfirmed" });
        return found
          .sort((a, b) => b.created_at.localeCompare(a.created_at))
          .map(({ id, text }) =>
            kind === "texts" ? { value: `${id} ${text}`, detail: "" } : { value: id, detail: text },
          );
      }
      case "sessions":
        return store.list({ chat, limit: MOST_SESSIONS }).map(({ id, title, updated_at, messages }) => ({
          value: id,
          detail: [title ?? "", localDay(updated_at), plural(messages, "message")].filter(Boolean).join(", "),
        }));
      case "models":
        return (await models.catalog()).ready.map((offer) => ({
          value: offer.name,
          detail: offerInWords(offer),
        }));
      case "skills":
        return skills().map(({ name, description }) => ({ value: name, detail: description }));
      case "mental-models":
        return (await mentalModels.list()).map(({ name, question }) => ({ value: name, detail: question }));
    }
  }
}

/** Whether a complete name has been typed, with text after it. */
function isComplete(names: readonly Name[], typed: string): boolean {
  const [first = "", ...rest] = typed.split(/\s/);
  return rest.length > 0 && names.some(({ value }) => value === first || value.startsWith(`${first} `));
}

/** Notices that a chat shows besides its answers, each one once. */
import { hint } from "../core/hint.ts";
import { incidentsNotice } from "../core/incidents.ts";
import type { DraftEvent } from "./events.ts";
import type { ChatPorts } from "./ports.ts";

type NoticePorts = Pick<
  ChatPorts,
  "store" | "incidents" | "serverNews" | "mentalModels" | "unreadWarnings" | "models"
>;

export class Notices {
  readonly #shownIncidents = new Set<string>();

  constructor(
    private readonly ports: NoticePorts,
    /** Whether the conversation shows already that no model is configured. */
    private isModelKnownMissing: boolean,
  ) {}

  *unstored(): Generator<DraftEvent, void> {
    const { unwritable } = this.ports.store;
    if (unwritable !== null) yield warning(`This conversation is not being stored: ${unwritable}.`);
  }

  *missingModel(): Generator<DraftEvent, void> {
    if (this.isModelKnownMissing) return;
    this.isModelKnownMissing = true;
    const text = hint`No model is configured: answers come from memory alone, and "remember that …" saves a fact. ${this.ports.models.howToGetOne}`;
    yield { type: "notice", level: "info", text };
  }

  async *server(): AsyncGenerator<DraftEvent, void> {
    const news = await this.ports.serverNews();
    if (news !== null) yield { type: "notice", ...news };
  }

  /** One notice for all incidents that this chat has not shown yet. */
  *incidents(): Generator<DraftEvent, void> {
    const open = this.ports.incidents().filter(({ id }) => !this.#shownIncidents.has(id));
    const text = incidentsNotice(open);
    for (const { id } of open) this.#shownIncidents.add(id);
    if (text !== null) yield warning(text);
  }

  /** Of background work, and about unreadable documents. */
  *warnings(): Generator<DraftEvent, void> {
    for (const text of [...this.ports.mentalModels.notices(), ...this.ports.unreadWarnings.take()])
      yield warning(text);
  }
}

function warning(text: string): DraftEvent {
  return { type: "notice", level: "warning", text };
}

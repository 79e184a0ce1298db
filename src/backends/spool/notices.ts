/** Notices to the user about the spool: once per kind of failure, until something is sent successfully. */
import { command, option } from "../../core/hint.ts";
import { type RecordIncident, recordNothing } from "../../core/incidents.ts";
import { plural } from "../../util/in-words.ts";
import { oneLine, truncate } from "../../util/text.ts";

const STATUS = String(command("status"));

export class Notices {
  readonly #told = new Set<string>();

  constructor(
    private readonly tell: (text: string) => void,
    /** The server's name. */
    private readonly to: string,
    private readonly directory = "",
    private readonly record: RecordIncident = recordNothing,
  ) {}

  wait(count: number, why: string): void {
    const they = count === 1 ? "It is" : "They are";
    const memories = plural(count, "memory", "memories");
    this.#once(
      why,
      `${memories} not sent to ${this.to} yet: ${asClause(why)}. ${they} queued and will be retried.`,
    );
  }

  refused(count: number, why: string): void {
    const they = count === 1 ? "It is" : "They are";
    const memories = plural(count, "memory", "memories");
    this.#once(why, `${this.to} refused ${memories}: ${asClause(why)}. ${they} kept; see: ${STATUS}`);
    // Without the server's message, which may quote the text that was sent.
    this.#record(this.directory, `${this.to} refused queued memories. They are kept.`);
  }

  damaged(path: string, why: string): void {
    this.#once(path, `${path} cannot be sent to ${this.to}: ${asClause(why)}. It is kept; see: ${STATUS}`);
    this.#record(path, `${path} is queued for ${this.to} but damaged. It is kept.`);
  }

  #record(path: string, what: string): void {
    const todo = `See why: ${STATUS}. Retry: ${command("status", option("send"))}`;
    this.record({ kind: "refused", path, what, todo });
  }

  worked(): void {
    this.#told.clear();
  }

  #once(kind: string, text: string): void {
    if (this.#told.has(kind)) return;
    this.#told.add(kind);
    this.tell(text);
  }
}

/** Makes a server's text safe to embed in a sentence: one line, limited length. */
export function asClause(why: string): string {
  const clause = truncate(oneLine(why).trim(), 300).replace(/[.?!]+$/, "");
  return clause === "" ? "no reason was given" : clause;
}

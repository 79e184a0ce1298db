/** A library whose clock the test sets; a Wednesday at first. */
import { openRetain } from "../../src/app.ts";
import type { Settings } from "../../src/config/schema.ts";
import type { FactsOptions } from "../../src/facts/list-facts.ts";
import type { NewFact } from "../../src/facts/write/written.ts";
import { afterThisTest } from "./clean-up.ts";
import { unconfirmed } from "./memories.ts";
import { Sandbox } from "./sandbox.ts";

export class Clocked {
  now = new Date(2026, 10, 18, 12);
  readonly retain;

  constructor(
    readonly sandbox = new Sandbox(),
    settings: Partial<Settings> = {},
  ) {
    this.retain = openRetain({
      cwd: sandbox.work,
      homeDirectory: sandbox.home,
      env: sandbox.env(),
      settings: { embedding: "none", ...settings },
      clock: () => this.now,
    });
    afterThisTest(() => this.retain.close());
  }

  async texts(options: FactsOptions = {}): Promise<string[]> {
    return (await this.retain.facts.list(options)).map(({ text }) => text);
  }

  /** As a model would find it in a conversation. */
  async find(text: string, more: Partial<NewFact> = {}) {
    const found = unconfirmed("s1", text).map((one) => ({ ...one, fact: { ...one.fact, ...more } }));
    return this.retain.facts.writeUnconfirmed(found);
  }
}

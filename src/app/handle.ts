/** Handles on the same open workspaces: a Retain's own, and those of its children. */
import { RetainError } from "../core/errors.ts";
import type { Wiring } from "./wiring.ts";

export class Handle {
  #isClosed = false;

  constructor(
    /** Usable even after this handle is closed. */
    readonly shared: Wiring,
    private readonly parent: Handle | null = null,
  ) {}

  /** Throws `usage` if closed. */
  get wiring(): Wiring {
    if (this.isClosed)
      throw new RetainError("usage", "This Retain is closed.", "Open a new one: openRetain()");
    return this.shared;
  }

  /** A closed parent closes its children. */
  get isClosed(): boolean {
    return this.#isClosed || (this.parent?.isClosed ?? false);
  }

  /** Throws `usage` if closed. */
  child(): Handle {
    return new Handle(this.wiring, this);
  }

  /** Closes the workspaces too, unless this is a child. */
  close(): void {
    this.#isClosed = true;
    if (this.parent === null) this.shared.close();
  }
}

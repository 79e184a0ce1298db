/** A memory as the server answers it. */
import type { Answer } from "../../serve/page/table.ts";

export type Shown = Answer<"memory">;
export type ShownOf<K extends Shown["kind"]> = Extract<Shown, { kind: K }>;

/** What the calls need to find a document again. */
export interface NamedDocument {
  readonly id: string;
  readonly collection: string;
  readonly origin?: "project" | "home" | undefined;
}

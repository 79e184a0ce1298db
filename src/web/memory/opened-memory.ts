/** The memory that is open, as the server returns it. */
import type { Answer } from "../../serve/page/table.ts";

export type OpenedMemory = Answer<"memory">;
export type Opened<K extends OpenedMemory["kind"]> = Extract<OpenedMemory, { kind: K }>;

/** How the server finds a document. */
export interface NamedDocument {
  readonly id: string;
  readonly collection: string;
  readonly origin?: "project" | "home" | undefined;
}

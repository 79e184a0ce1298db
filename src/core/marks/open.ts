/** A mark that is being read. */
import type { FactBlock } from "./facts.ts";
import type { Layer } from "./layer.ts";
import type { NoteText } from "./note-text.ts";
import type { Tag } from "./tags.ts";

export interface OpenNote {
  readonly kind: "note";
  readonly tag: Tag;
  readonly isKept: boolean;
  readonly layer: Layer<NoteText>;
  /** Tags of its own name that are open. */
  depth: number;
  /** Tags of other names that are open in it. */
  others: number;
  /** The first tag that may have been meant to close it: the offset behind it, and the length of the text before it. */
  end: { readonly offset: number; readonly length: number } | null;
}

export interface OpenFacts {
  readonly kind: "facts";
  readonly tag: Tag;
  readonly isKept: boolean;
  readonly layer: Layer<FactBlock>;
}

export type OpenMark = OpenNote | OpenFacts;

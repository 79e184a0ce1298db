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
  /** Open tags with its own name. */
  depth: number;
  /** Open tags with other names inside it. */
  others: number;
  /** The first tag that may be meant to close it: the offset after it, and the length of the text before it. */
  end: { readonly offset: number; readonly length: number } | null;
}

export interface OpenFacts {
  readonly kind: "facts";
  readonly tag: Tag;
  readonly isKept: boolean;
  readonly layer: Layer<FactBlock>;
}

export type OpenMark = OpenNote | OpenFacts;

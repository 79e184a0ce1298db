/**
 * Markdown as a list of blocks, each with its containers. A long block comes in parts, so that finished parts can be printed while
 * the rest is still streaming.
 */

export type Leaf =
  | { readonly kind: "paragraph"; readonly text: string }
  | { readonly kind: "heading"; readonly level: number; readonly text: string }
  | { readonly kind: "rule" }
  /** HTML, shown as written. */
  | { readonly kind: "plain"; readonly text: string }
  | {
      readonly kind: "code";
      readonly language: string;
      readonly lines: readonly string[];
      /** Whether the fence is shown before or after this part; neither for indented code. */
      readonly opening: boolean;
      readonly closing: boolean;
    }
  | ({ readonly kind: "table" } & TablePart)
  /** An empty list item. */
  | { readonly kind: "nothing" };

export type Alignment = "left" | "right" | "centre";

export interface TablePart {
  readonly header: readonly string[];
  readonly alignments: readonly Alignment[];
  /** A row may have fewer or more cells than the header. */
  readonly rows: readonly (readonly string[])[];
  /** The rows that determine the column widths: those of the first part. */
  readonly measured: readonly (readonly string[])[];
  readonly isFirst: boolean;
  /** Unmeasured rows follow, so columns get extra room. */
  readonly isLong: boolean;
}

export type Within =
  | { readonly kind: "quote" }
  /** `fresh`: its marker has not been printed yet. */
  | { readonly kind: "item"; readonly marker: string; readonly fresh: boolean };

export interface Block {
  /** Outermost first. */
  readonly within: readonly Within[];
  /** An empty line comes first, inside this many of `within`; null: no empty line. */
  readonly gap: number | null;
  readonly leaf: Leaf;
}

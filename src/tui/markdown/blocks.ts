/**
 * What Markdown is made of, as it is drawn: blocks in their order, each with what it stands in. A long block comes in parts,
 * so that what is finished of it can be printed while the rest is still being written.
 */

export type Leaf =
  | { readonly kind: "paragraph"; readonly text: string }
  | { readonly kind: "heading"; readonly level: number; readonly text: string }
  | { readonly kind: "rule" }
  /** HTML, line by line as it is. */
  | { readonly kind: "plain"; readonly text: string }
  | {
      readonly kind: "code";
      readonly language: string;
      readonly lines: readonly string[];
      /** The fence before the first part and after the last one; neither for indented code. */
      readonly opening: boolean;
      readonly closing: boolean;
    }
  | ({ readonly kind: "table" } & TablePart)
  /** An item that says nothing. */
  | { readonly kind: "nothing" };

export type Alignment = "left" | "right" | "centre";

export interface TablePart {
  readonly header: readonly string[];
  readonly alignments: readonly Alignment[];
  /** May have fewer cells than the header, or more. */
  readonly rows: readonly (readonly string[])[];
  /** The rows that decide how wide the columns are: those of the first part. */
  readonly measured: readonly (readonly string[])[];
  readonly isFirst: boolean;
  /** Rows come that are not measured, so that columns take more room than they seem to need. */
  readonly isLong: boolean;
}

export type Within =
  | { readonly kind: "quote" }
  /** `fresh`: its marker has not been printed yet. */
  | { readonly kind: "item"; readonly marker: string; readonly fresh: boolean };

export interface Block {
  /** From the outside in. */
  readonly within: readonly Within[];
  /** An empty line comes first, inside so many of `within`; null: none does. */
  readonly gap: number | null;
  readonly leaf: Leaf;
}

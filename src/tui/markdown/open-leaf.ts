/**
 * An immutable block that is still open: adding a line returns the new state and the finished parts. Parts are limited in size, so
 * that redrawing the rest stays cheap.
 */
import type { Fence } from "../../core/text/markdown.ts";
import type { Alignment, Leaf } from "./blocks.ts";
import { finishedLines } from "./highlight.ts";
import { LONGEST_LINE } from "./lines.ts";
import { cellsOf, languageOf } from "./starts.ts";

/** Maximum rows and characters that are measured together. */
const PART_ROWS = 24;
const PART_CHARACTERS = 8000;

export type OpenLeaf =
  | { readonly kind: "paragraph"; readonly text: string }
  | {
      readonly kind: "fence";
      readonly fence: Fence;
      readonly lines: readonly string[];
      readonly isFirst: boolean;
    }
  /** Indented code; empty lines belong to it only if more code follows. */
  | { readonly kind: "indented"; readonly emptyLines: number }
  /** `end`: text in its last line; null: an empty line ends it. */
  | { readonly kind: "html"; readonly end: string | null }
  | OpenTable;

interface OpenTable {
  readonly kind: "table";
  readonly header: readonly string[];
  readonly alignments: readonly Alignment[];
  readonly rows: readonly (readonly string[])[];
  readonly characters: number;
  /** null while the first part is open. */
  readonly measured: readonly (readonly string[])[] | null;
}

interface Grown {
  readonly leaf: OpenLeaf;
  readonly finished: readonly Leaf[];
}

export function grown(leaf: OpenLeaf, line: string): Grown {
  switch (leaf.kind) {
    case "paragraph": {
      if (leaf.text.length + line.length < LONGEST_LINE)
        return { leaf: { ...leaf, text: `${leaf.text}\n${line}` }, finished: [] };
      return { leaf: { ...leaf, text: line }, finished: [{ kind: "paragraph", text: leaf.text }] };
    }
    case "fence": {
      const lines = [...leaf.lines, line];
      const count = finishedLines(lines, languageOf(leaf.fence));
      if (count === 0) return { leaf: { ...leaf, lines }, finished: [] };
      const part = codePart(leaf, lines.slice(0, count), false);
      return { leaf: { ...leaf, lines: lines.slice(count), isFirst: false }, finished: [part] };
    }
    case "indented": {
      if (line.trim() === "") return { leaf: { ...leaf, emptyLines: leaf.emptyLines + 1 }, finished: [] };
      const lines = [...Array<string>(leaf.emptyLines).fill(""), line];
      const part: Leaf = { kind: "code", language: "", lines, opening: false, closing: false };
      return { leaf: { ...leaf, emptyLines: 0 }, finished: [part] };
    }
    case "html":
      return { leaf, finished: [{ kind: "plain", text: line }] };
    case "table": {
      const longer = {
        ...leaf,
        rows: [...leaf.rows, cellsOf(line)],
        characters: leaf.characters + line.length,
      };
      if (longer.rows.length < PART_ROWS && longer.characters < PART_CHARACTERS)
        return { leaf: longer, finished: [] };
      const measured = leaf.measured ?? longer.rows;
      return { leaf: { ...longer, rows: [], characters: 0, measured }, finished: [tablePart(longer, true)] };
    }
  }
}

/** The remaining parts when the block ends. */
export function closed(leaf: OpenLeaf): Leaf[] {
  switch (leaf.kind) {
    case "paragraph":
      return [leaf];
    case "fence":
      return leaf.isFirst && leaf.lines.length === 0 ? [] : [codePart(leaf, leaf.lines, true)];
    case "indented":
    case "html":
      return [];
    case "table":
      return leaf.measured === null || leaf.rows.length > 0 ? [tablePart(leaf, leaf.measured !== null)] : [];
  }
}

function codePart(leaf: OpenLeaf & { kind: "fence" }, lines: readonly string[], closing: boolean): Leaf {
  return { kind: "code", language: languageOf(leaf.fence), lines, opening: leaf.isFirst, closing };
}

function tablePart({ header, alignments, rows, measured }: OpenTable, isLong: boolean): Leaf {
  const isFirst = measured === null;
  return { kind: "table", header, alignments, rows, measured: measured ?? rows, isFirst, isLong };
}

/**
 * The Markdown theme. It uses a few of the terminal's sixteen colours, but not yellow, white or black, which are hard to read on a
 * light or dark background. Without colours, it keeps marks that carry meaning: headings, code, strikethrough.
 */
import { type Style, sgr, UNSTYLED } from "../ansi/ansi.ts";

export interface Theme {
  /** By level, from 1; deeper levels use the last one. */
  readonly headings: readonly (readonly Style[])[];
  /** Show "## " before headings and "```" around code. */
  readonly marks: boolean;
  readonly strong: Style;
  readonly emphasis: Style;
  readonly struck: Style;
  readonly code: Style;
  /** Code blocks in an unknown language. */
  readonly block: Style;
  readonly link: Style;
  /** The terminal opens links itself, so their addresses need not be shown. */
  readonly links: boolean;
  /** Link addresses, rules, quote bars, table lines. */
  readonly faint: Style;
  /** Bullets and numbers. */
  readonly marker: Style;
  /** By highlight.js's scopes. */
  readonly scopes: Readonly<Record<string, Style>>;
}

const bold = sgr(1, 22);
const dim = sgr(2, 22);
const italic = sgr(3, 23);
const underline = sgr(4, 24);
const struck = sgr(9, 29);
const red = sgr(31, 39);
const green = sgr(32, 39);
const magenta = sgr(35, 39);
const cyan = sgr(36, 39);

const COLOURED: Theme = {
  headings: [[bold, underline], [bold], [bold, italic]],
  marks: false,
  strong: bold,
  emphasis: italic,
  struck,
  code: cyan,
  block: cyan,
  link: underline,
  links: false,
  faint: dim,
  marker: cyan,
  scopes: {
    keyword: magenta,
    "selector-tag": magenta,
    name: magenta,
    section: bold,
    strong: bold,
    emphasis: italic,
    title: bold,
    string: green,
    regexp: green,
    "template-variable": cyan,
    number: cyan,
    literal: cyan,
    symbol: cyan,
    attr: cyan,
    attribute: cyan,
    property: cyan,
    built_in: cyan,
    type: cyan,
    code: cyan,
    comment: dim,
    quote: dim,
    meta: dim,
    addition: green,
    deletion: red,
  },
};

const PLAIN: Theme = {
  headings: [],
  marks: true,
  strong: UNSTYLED,
  emphasis: UNSTYLED,
  struck: { open: "~~", close: "~~" },
  code: { open: "`", close: "`" },
  block: UNSTYLED,
  link: UNSTYLED,
  links: false,
  faint: UNSTYLED,
  marker: UNSTYLED,
  scopes: {},
};

export function themeOf({ colours, links }: { colours: boolean; links?: boolean }): Theme {
  if (!colours) return PLAIN;
  return links ? { ...COLOURED, links } : COLOURED;
}

/** Draws a terminal screen, captured by tmux with colours, as SVG. */

const CELL_WIDTH = 8.4;
const LINE_HEIGHT = 19;
const MARGIN = 16;
const TITLE_HEIGHT = 30;

/** A background, the text on it, and the terminal's eight colours, then the bright ones. */
interface Palette {
  readonly background: string;
  readonly foreground: string;
  readonly colours: readonly string[];
}

export const PALETTES = {
  dark: {
    background: "#16181d",
    foreground: "#d7dae0",
    colours: [
      ...["#3a3f4b", "#e06c75", "#98c379", "#e5c07b", "#61afef", "#c678dd", "#56b6c2", "#d7dae0"],
      ...["#5c6370", "#f07178", "#b5e08f", "#ffd580", "#7cc4ff", "#d8a0ff", "#7fdbe6", "#ffffff"],
    ],
  },
  light: {
    background: "#fafafa",
    foreground: "#24292f",
    colours: [
      ...["#24292f", "#cf222e", "#116329", "#9a6700", "#0969da", "#8250df", "#1b7c83", "#6e7781"],
      ...["#57606a", "#a40e26", "#1a7f37", "#bf8700", "#218bff", "#a475f9", "#3192aa", "#8c959f"],
    ],
  },
} as const satisfies Record<string, Palette>;

interface Style {
  colour: string;
  bold: boolean;
  dim: boolean;
  italic: boolean;
  underline: boolean;
}

const UNSTYLED = { bold: false, dim: false, italic: false, underline: false };

export function screenToSvg(
  screen: string,
  columns: number,
  title: string,
  palette: Palette = PALETTES.dark,
): string {
  const lines = screen.replace(/\s+$/, "").split("\n");
  const width = Math.ceil(columns * CELL_WIDTH + 2 * MARGIN);
  const height = lines.length * LINE_HEIGHT + TITLE_HEIGHT + 2 * MARGIN;
  const style: Style = { ...UNSTYLED, colour: palette.foreground };
  const drawn = lines.map((line, row) =>
    drawLine(line, style, palette, TITLE_HEIGHT + MARGIN + (row + 0.75) * LINE_HEIGHT),
  );
  const dots = ["#e06c75", "#e5c07b", "#98c379"].map(
    (colour, index) =>
      `<circle cx="${MARGIN + 6 + index * 18}" cy="${TITLE_HEIGHT / 2 + 2}" r="5.5" fill="${colour}"/>`,
  );
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" aria-label="${escaped(title)}">
<rect width="100%" height="100%" rx="8" fill="${palette.background}"/>
${dots.join("")}
<g font-family="ui-monospace, 'SF Mono', Menlo, Consolas, 'DejaVu Sans Mono', monospace" font-size="14" xml:space="preserve">
${drawn.filter((line) => line !== "").join("\n")}
</g>
</svg>
`;
}

/** The style continues from line to line. */
function drawLine(line: string, style: Style, palette: Palette, y: number): string {
  let column = 0;
  const spans: string[] = [];
  for (const [, codes, text] of line.matchAll(/\u001b\[([\d;]*)m|([^\u001b]+)/g)) {
    if (codes !== undefined) apply(style, palette, codes);
    if (text === undefined) continue;
    if (text.trim() !== "") spans.push(spanOf(text, style, column));
    column += Bun.stringWidth(text);
  }
  return spans.length === 0 ? "" : `<text y="${y.toFixed(1)}">${spans.join("")}</text>`;
}

function spanOf(text: string, { colour, bold, dim, italic, underline }: Style, column: number): string {
  const attributes = [
    `x="${(MARGIN + column * CELL_WIDTH).toFixed(1)}"`,
    `textLength="${(Bun.stringWidth(text) * CELL_WIDTH).toFixed(1)}"`,
    `fill="${colour}"`,
    ...(bold ? ['font-weight="bold"'] : []),
    ...(dim ? ['fill-opacity="0.55"'] : []),
    ...(italic ? ['font-style="italic"'] : []),
    ...(underline ? ['text-decoration="underline"'] : []),
  ];
  return `<tspan ${attributes.join(" ")}>${escaped(text)}</tspan>`;
}

function apply(style: Style, { foreground, colours }: Palette, codes: string): void {
  for (const code of codes.split(";").map(Number)) {
    if (code === 0) Object.assign(style, UNSTYLED, { colour: foreground });
    else if (code === 1) style.bold = true;
    else if (code === 2) style.dim = true;
    else if (code === 3) style.italic = true;
    else if (code === 4) style.underline = true;
    else if (code === 22) Object.assign(style, { bold: false, dim: false });
    else if (code === 23) style.italic = false;
    else if (code === 24) style.underline = false;
    else if (code === 39) style.colour = foreground;
    else if (code >= 30 && code <= 37) style.colour = colours[code - 30] ?? foreground;
    else if (code >= 90 && code <= 97) style.colour = colours[code - 82] ?? foreground;
  }
}

function escaped(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
}

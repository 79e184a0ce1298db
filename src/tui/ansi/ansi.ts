/**
 * Colours as SGR codes and links as OSC 8: adds them to text, and parses them so that a text can be cut into lines that each open and close their own.
 */

/** Goes before and after a text: SGR codes, or plain characters without colours. */
export interface Style {
  readonly open: string;
  readonly close: string;
}

export const UNSTYLED: Style = { open: "", close: "" };

export function sgr(open: number, close: number): Style {
  return { open: `\x1b[${open}m`, close: `\x1b[${close}m` };
}

/** Reopens the style if the text itself closes it. */
export function styled({ open, close }: Style, text: string): string {
  if (text === "") return "";
  const inner = close.startsWith("\x1b") ? text.replaceAll(close, close + open) : text;
  return open + inner + close;
}

export function hyperlink(address: string, text: string): string {
  return linkTo(address) + text + linkTo("");
}

/** An empty address ends the link. */
function linkTo(address: string): string {
  return `\x1b]8;;${address}\x1b\\`;
}

/** The active styles: slot to code; for a link, its address. */
export type Colours = ReadonlyMap<Slot | "link", string>;

type Slot = "bold" | "dim" | "italic" | "underline" | "inverse" | "strike" | "foreground" | "background";

export const NO_COLOURS: Colours = new Map();

const CLOSING: Readonly<Record<Slot, number>> = {
  bold: 22,
  dim: 22,
  italic: 23,
  underline: 24,
  inverse: 27,
  strike: 29,
  foreground: 39,
  background: 49,
};
const SLOTS: ReadonlyMap<number, Slot> = new Map([
  [1, "bold"],
  [2, "dim"],
  [3, "italic"],
  [4, "underline"],
  [7, "inverse"],
  [9, "strike"],
]);

const SLOT_NAMES = Object.keys(CLOSING) as Slot[];

/** The active styles after one sequence, such as "1;38;5;208". */
export function coloursAfter(colours: Colours, codes: string): Colours {
  const after = new Map(colours);
  const numbers = codes === "" ? [0] : codes.split(/[;:]/).map(Number);
  for (let at = 0; at < numbers.length; at++) {
    const code = numbers[at] ?? 0;
    const length = code === 38 || code === 48 ? (numbers[at + 1] === 5 ? 3 : 5) : 1;
    const slot = slotOf(code);
    if (code === 0) for (const open of SLOT_NAMES) after.delete(open);
    else if (slot !== null) after.set(slot, numbers.slice(at, at + length).join(";"));
    else for (const open of after.keys()) if (open !== "link" && CLOSING[open] === code) after.delete(open);
    at += length - 1;
  }
  return after;
}

/** "" ends the link. */
export function linkedTo(colours: Colours, address: string): Colours {
  const after = new Map(colours).set("link", address);
  if (address === "") after.delete("link");
  return after;
}

function slotOf(code: number): Slot | null {
  if ((code >= 30 && code <= 38) || (code >= 90 && code <= 97)) return "foreground";
  if ((code >= 40 && code <= 48) || (code >= 100 && code <= 107)) return "background";
  return SLOTS.get(code) ?? null;
}

/** The codes that change one state to the other; "" if they are the same. */
export function transition(from: Colours, to: Colours): string {
  if (from === to) return "";
  const closed = new Set<number>();
  for (const slot of from.keys()) if (slot !== "link" && !to.has(slot)) closed.add(CLOSING[slot]);
  const codes: (number | string)[] = [...closed];
  for (const [slot, code] of to)
    if (slot !== "link" && (from.get(slot) !== code || closed.has(CLOSING[slot]))) codes.push(code);
  const link = from.get("link") === to.get("link") ? "" : linkTo(to.get("link") ?? "");
  return link + (codes.length === 0 ? "" : `\x1b[${codes.join(";")}m`);
}

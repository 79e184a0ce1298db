/**
 * Colours from the terminal's own palette, so that they suit light and dark themes; none if colours are off. Yellow, white and
 * black are missing: each is unreadable on a light or on a dark background.
 */

import { sgr, styled } from "./ansi.ts";

const STYLES = {
  bold: sgr(1, 22),
  dim: sgr(2, 22),
  italic: sgr(3, 23),
  red: sgr(31, 39),
  green: sgr(32, 39),
  magenta: sgr(35, 39),
  cyan: sgr(36, 39),
} as const;

export type Colour = keyof typeof STYLES;

export type Paint = (text: string, ...colours: readonly Colour[]) => string;

const plain: Paint = (text) => text;

const coloured: Paint = (text, ...colours) => {
  return colours.reduceRight((inner, colour) => styled(STYLES[colour], inner), text);
};

export function painter(colours: boolean): Paint {
  return colours ? coloured : plain;
}

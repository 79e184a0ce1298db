/** Finds payment card numbers: grouped as on the card or not at all, from a known issuer, with a valid check digit. */
import { anyOf } from "../../util/word-lists.ts";
import type { Secret } from "./secret.ts";

const SEPARATOR = "[ \\u00a0\\u2009\\u202f.\\u2010\\u2011\\u2013-]";
/** Not inside a longer number, a decimal, a path, an identifier or a phone number. */
const NUMBER = new RegExp(
  [
    "(?<![\\w+/\\\\])(?<!\\d[.,:-])(?<![A-Za-z]-)(?:",
    `\\d{4}(${SEPARATOR})\\d{4}\\1\\d{4}\\1\\d{4}(?:\\1\\d{3})?`,
    `|\\d{4}(${SEPARATOR})\\d{6}\\2\\d{4,5}`,
    `|\\d{4}(${SEPARATOR})\\d{3}\\3\\d{3}\\3\\d{3}`,
    "|\\d{13,19}",
    ")(?![\\w/])(?![.,:-]\\d)",
  ].join(""),
  "g",
);
/** More groups of four before or after: a longer number, not a card. */
const GROUP_BEFORE = /\d{4}[ .-]$/;
const GROUP_AFTER = /^[ .-]\d{4}(?!\d)/;
const NUMBERED = anyOf(
  "order|invoice|tracking|shipment|parcel|ticket|case|booking|confirmation|reference|ref",
  "imei|serial|sku|isbn|ean|gtin|barcode|id",
  "phone|tel|fax",
  "timestamp|commit|build|hash",
);
/** "order no. ", "IMEI: " */
const OTHER_NUMBER = new RegExp(
  `${NUMBERED}(?:[ _-]?(?:no|nr|num|number|id))?["'\`]?[ .:=#]{0,3}["'\`]?$`,
  "i",
);

interface Issuer {
  readonly prefix: RegExp;
  readonly lengths: readonly number[];
}

const ISSUERS: readonly Issuer[] = [
  { prefix: /^4/, lengths: [13, 16, 19] },
  { prefix: /^(?:5[1-5]|222[1-9]|22[3-9]|2[3-6]|27[01]|2720|220[0-4])/, lengths: [16] },
  { prefix: /^3[47]/, lengths: [15] },
  { prefix: /^(?:6011|64[4-9]|65)/, lengths: [16, 19] },
  { prefix: /^(?:30[0-5]|3[689])/, lengths: [14] },
  { prefix: /^35(?:2[89]|[3-8])/, lengths: [16] },
  { prefix: /^62/, lengths: [16, 17, 18, 19] },
  { prefix: /^(?:5018|5020|5038|5893|6304|6759|676[1-3])/, lengths: [16, 17, 18, 19] },
];
/** Other numbers also have these lengths, and one in ten has a valid check digit, so a word must say that it is a card. */
const UNUSUAL_LENGTHS = [13, 17, 18, 19];
const CARD_WORD = new RegExp(
  anyOf(
    "card|karte|carte|tarjeta|卡|credit|debit|\\bcc\\b|\\bpan\\b",
    "visa|master|maestro|amex|american express|discover|diners|jcb|union ?pay",
  ),
  "i",
);

export function findCards(text: string): Secret[] {
  return Array.from(text.matchAll(NUMBER)).flatMap(({ index, 0: number }) => {
    const card = cardIn(number);
    if (card === null) return [];
    const before = text.slice(Math.max(0, index - 40), index);
    const after = text.slice(index + card.length, index + card.length + 6);
    const digits = card.replace(/\D/g, "");
    const isCard =
      digits.length < card.length
        ? !GROUP_BEFORE.test(before) && !GROUP_AFTER.test(after)
        : CARD_WORD.test(before) || !(UNUSUAL_LENGTHS.includes(digits.length) || OTHER_NUMBER.test(before));
    return isCard ? [{ what: "a payment card number", start: index, end: index + card.length }] : [];
  });
}

/** The whole number, or without a last group of three, which may be the security code. */
function cardIn(number: string): string | null {
  const candidates = [number, number.replace(/\D\d{3}$/, "")];
  return candidates.find((candidate) => isCardNumber(candidate.replace(/\D/g, ""))) ?? null;
}

function isCardNumber(digits: string): boolean {
  const known = ISSUERS.some(({ prefix, lengths }) => prefix.test(digits) && lengths.includes(digits.length));
  return known && isLuhn(digits);
}

function isLuhn(digits: string): boolean {
  let sum = 0;
  for (let index = 0; index < digits.length; index++) {
    const digit = Number(digits[digits.length - 1 - index]);
    const doubled = index % 2 === 1 ? digit * 2 : digit;
    sum += doubled > 9 ? doubled - 9 : doubled;
  }
  return sum % 10 === 0;
}

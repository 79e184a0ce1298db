/** Quotations that begin directly in front of a tag, such as "<memory>". Emphasis around it makes no difference. */
import { isBlank, isEmphasis } from "./line.ts";

/** Opening quotation marks, each with those that may close it. */
const CLOSING: Readonly<Record<string, string>> = {
  '"': '"',
  "'": "'",
  "“": "”",
  "‘": "’",
  "„": "“”",
  "‚": "‘’",
  "”": "”",
  "«": "»",
  "»": "«",
  "‹": "›",
  "「": "」",
  "『": "』",
};
/** Behind these, a quotation mark closes. Scripts without cases put no space in front of an opening one. */
const ENDS_QUOTATION = /[\p{Lu}\p{Ll}\p{N}.!?…。！？)\]}>]/u;
const APOSTROPHES = "'’";

export class Quotations {
  /** Quotation marks that would close the current quotation; "" outside one. */
  #closing = "";
  #last = "";
  #beforeLast = "";
  #lineIsBlank = false;

  take(character: string): void {
    if (isEmphasis(character)) return;
    const isApostrophe = APOSTROPHES.includes(character) && /[\p{L}\p{N}]/u.test(this.#last);
    const endsParagraph = character === "\n" && this.#lineIsBlank;
    if (endsParagraph || (this.#closing.includes(character) && !isApostrophe)) this.#closing = "";
    this.#lineIsBlank = character === "\n" || (this.#lineIsBlank && isBlank(character));
    this.#beforeLast = this.#last;
    this.#last = character;
  }

  /** With `mayBegin`, a quotation mark that came last begins a quotation. */
  isOpen(mayBegin: boolean): boolean {
    if (mayBegin && this.#closing === "" && !ENDS_QUOTATION.test(this.#beforeLast))
      this.#closing = CLOSING[this.#last] ?? "";
    return this.#closing !== "";
  }
}

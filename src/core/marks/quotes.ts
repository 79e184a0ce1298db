/** Detects quotations that start directly before a tag, such as "<memory>". Ignores emphasis. */
import { isBlank, isEmphasis } from "./line.ts";

/** Opening quotation marks, each with its possible closing marks. */
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
/** After these, a quotation mark closes. Caseless scripts aren't included, since they put no space before an opening mark. */
const ENDS_QUOTATION = /[\p{Lu}\p{Ll}\p{N}.!?…。！？)\]}>]/u;
const APOSTROPHES = "'’";

export class Quotations {
  /** Marks that would close the current quotation; "" outside one. */
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

  /** With `mayBegin`, a quotation mark as the last character starts a quotation. */
  isOpen(mayBegin: boolean): boolean {
    if (mayBegin && this.#closing === "" && !ENDS_QUOTATION.test(this.#beforeLast))
      this.#closing = CLOSING[this.#last] ?? "";
    return this.#closing !== "";
  }
}

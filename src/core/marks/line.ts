/** What stands in front of the text of a Markdown line: indentation, quote marks, list markers, the hashes of a heading. */

const BULLETS = "-*+–—";
/** Those that need no white space behind them. */
const ROUND_BULLETS = "•‣◦";
const MOST_DIGITS = 9;
const MOST_HASHES = 6;

/** White space inside a line; a carriage return belongs to the line break after it. */
export function isBlank(character: string): boolean {
  return character === " " || character === "\t" || character === "\r";
}

export function isEmphasis(character: string | undefined): boolean {
  return character === "*" || character === "_";
}

/** Longer beginnings of a line count as text. */
const LONGEST_BEGINNING = 80;
const BEGINNING = /^[ \t\r]*(?:(?:[-*+–—]|\d{1,9}[.)])[ \t]+|[•‣◦][ \t]*|#{1,6}[ \t]+)*[*_]*[ \t]*$/;

/** Whether a line that starts at `from` holds no text yet: at most indentation, list markers, hashes and emphasis. */
export function isBeginning(text: readonly string[], from = 0): boolean {
  return text.length - from <= LONGEST_BEGINNING && BEGINNING.test(text.slice(from).join(""));
}

export class LineHead {
  /** Columns of white space in front of everything; a tab counts as four. */
  indent = 0;
  /** Characters up to the text, as far as they are known to belong to the head. */
  length = 0;
  quoted = false;
  heading = false;
  /** The first list marker: its bullet, or "1" for any number; "" where there is none. */
  item = "";
  /** The text of the line has begun. */
  inBody = false;
  #taken = 0;
  /** A marker that counts once white space follows it. */
  #marker = "";
  #digits = 0;
  #hashes = 0;

  /** Something other than white space is part of the head. */
  get hasMarker(): boolean {
    return this.item !== "" || this.quoted || this.heading;
  }

  /** Takes the line's next character; false where that is part of the text. */
  take(character: string): boolean {
    if (this.inBody) return false;
    this.#taken++;
    if (isBlank(character)) this.#takeBlank(character);
    else this.#takeMark(character);
    return !this.inBody;
  }

  #takeBlank(character: string): void {
    if (this.#digits > 0) this.inBody = true;
    else if (this.#hashes > 0) this.heading = true;
    else if (this.#marker !== "") this.item ||= this.#marker;
    else if (!this.hasMarker) this.indent += character === "\t" ? 4 : 1;
    if (!this.inBody) this.#known();
  }

  #takeMark(character: string): void {
    const isFree = this.#marker === "" && this.#hashes === 0;
    if (this.#digits > 0 && (character === "." || character === ")")) {
      this.#digits = 0;
      this.#marker = "1";
    } else if (isFree && character >= "0" && character <= "9" && this.#digits < MOST_DIGITS) this.#digits++;
    else if (isFree && this.#digits === 0 && this.#takeFree(character)) return;
    else if (character === "#" && this.#hashes > 0 && this.#hashes < MOST_HASHES) this.#hashes++;
    else this.inBody = true;
  }

  #takeFree(character: string): boolean {
    if (character === ">") this.quoted = true;
    else if (ROUND_BULLETS.includes(character)) this.item ||= character;
    else if (character === "#") this.#hashes = 1;
    else if (BULLETS.includes(character)) this.#marker = character;
    else return false;
    if (this.#marker === "" && this.#hashes === 0) this.#known();
    return true;
  }

  #known(): void {
    this.length = this.#taken;
    this.#marker = "";
    this.#hashes = 0;
  }

  copy(): LineHead {
    const copy = new LineHead();
    copy.indent = this.indent;
    copy.length = this.length;
    copy.quoted = this.quoted;
    copy.heading = this.heading;
    copy.item = this.item;
    copy.inBody = this.inBody;
    copy.#taken = this.#taken;
    copy.#marker = this.#marker;
    copy.#digits = this.#digits;
    copy.#hashes = this.#hashes;
    return copy;
  }
}

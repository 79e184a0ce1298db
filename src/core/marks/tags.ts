/** Parses the tags of a reply and their attributes, by character. */

/** Marks where something was removed. */
export const HOLE = "";

/** A longer tag is text, so its characters aren't held back any longer. */
const LONGEST_TAG = 300;
const ATTRIBUTE = /([\w-]+)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"']*[^\s"',;]))/g;
const ONLY_ATTRIBUTES = /^(?:[\s,;]+[\w-]+\s*=\s*(?:"[^"]*"|'[^']*'|[^\s"']+))*[\s,;]*$/;
/** Unquoted ids, as models write them: "replaces k3f9, 8d2c". */
const NAMED_IDS =
  /(?<=^|[\s,;])(replaces|ends)\s*[:=]?\s+([a-z0-9]{4,}(?:(?:\s*,\s*|\s+and\s+|\s+)[a-z0-9]{4,}(?![a-z0-9]|\s*=))*)/gi;
/** An unquoted day: "until 2026-11-20". */
const NAMED_DAY = /(?<=^|[\s,;])until\s*:?\s+(\d{4}-\d\d-\d\d)(?=$|[\s,;])/gi;

/** Lower case. */
export interface TagNames {
  /** In angle brackets. */
  readonly angle: readonly string[];
  /** In square brackets. */
  readonly square: readonly string[];
}

export interface Tag {
  /** Lower case. */
  readonly name: string;
  readonly square: boolean;
  readonly closing: boolean;
  readonly selfClosing: boolean;
  readonly attributes: ReadonlyMap<string, string>;
  /** The offset of its first character. */
  readonly at: number;
  /** Its characters. */
  readonly pieces: readonly string[];
}

export function opensTag(character: string): boolean {
  return character === "<" || character === "[";
}

/** "more": may become a tag. "tag": complete with this character. "before": complete without it. "none": text. */
export type TagProgress = "more" | "tag" | "before" | "none";

/** Text that may become a tag. */
export class TagStart {
  readonly at: number;
  /** HOLE where a mark was removed. */
  readonly pieces: string[];
  readonly #names: readonly string[];
  readonly #square: boolean;
  #closing = false;
  #name = "";
  #nameIsWhole = false;
  #inRest = false;
  #rest = "";
  #onBlankLine = false;
  /** Complete, unless it turns out to be the link `[memory](...)`. */
  #isWhole = false;

  constructor(first: string, at: number, names: TagNames) {
    this.#square = first === "[";
    this.#names = this.#square ? names.square : names.angle;
    this.at = at;
    this.pieces = [first];
  }

  next(character: string): TagProgress {
    if (this.#isWhole) return character === "(" ? "none" : "before";
    const progress = this.#nameIsWhole ? this.#takeRest(character) : this.#takeName(character);
    if (progress === "more" || progress === "tag") this.pieces.push(character);
    return progress;
  }

  get last(): string {
    return this.pieces.findLast((piece) => piece !== HOLE) ?? "";
  }

  /** Continues after something was removed. */
  resume(): void {
    this.pieces.push(HOLE);
    this.#onBlankLine = false;
  }

  /** Adds `start`, which turned out to be text, to the attributes; false if it can't be there. */
  absorb(start: TagStart): boolean {
    if (this.#square || !this.#inRest || !start.#square) return false;
    this.pieces.push(...start.pieces);
    this.#rest += start.pieces.join("");
    this.#onBlankLine = false;
    return true;
  }

  #takeName(character: string): TagProgress {
    if (character === "/" && !this.#closing && this.#name === "") {
      this.#closing = true;
      return "more";
    }
    const isSpace = character === " " || character === "\t";
    if (isSpace && this.#closing && this.#name === "" && this.pieces.length < LONGEST_TAG) return "more";
    const name = this.#name + character.toLowerCase();
    if (!this.#names.some((known) => known.startsWith(name))) return "none";
    this.#name = name;
    this.#nameIsWhole = this.#names.includes(name);
    return "more";
  }

  #takeRest(character: string): TagProgress {
    if (character === (this.#square ? "]" : ">")) return this.#close();
    const isSpace = /\s/.test(character);
    if (!this.#inRest && !isSpace && (this.#square || character !== "/")) return "none";
    if (opensTag(character) || character === "`" || this.pieces.length >= LONGEST_TAG) return "none";
    if (character === "\n") {
      if (this.#square || this.#onBlankLine) return "none";
      this.#onBlankLine = true;
    } else if (!isSpace) this.#onBlankLine = false;
    this.#inRest = true;
    this.#rest += character;
    return "more";
  }

  #close(): TagProgress {
    if (!this.#square || this.#closing) return "tag";
    this.#isWhole = ONLY_ATTRIBUTES.test(withQuotedValues(this.#rest));
    return this.#isWhole ? "more" : "none";
  }

  /** Whether it counts as a tag if the text ends here: its name is complete, even without the bracket. */
  get isTagAtEnd(): boolean {
    if (!this.#square || this.#isWhole || this.#closing) return this.#nameIsWhole;
    return this.#nameIsWhole && (this.#rest.trim() === "" || this.#rest.includes("="));
  }

  tag(): Tag {
    const rest = this.#rest.trimEnd();
    const selfClosing = !this.#closing && rest.endsWith("/");
    return {
      name: this.#name,
      square: this.#square,
      closing: this.#closing,
      selfClosing,
      attributes: attributesOf(selfClosing ? rest.slice(0, -1) : rest),
      at: this.at,
      pieces: this.pieces,
    };
  }
}

function withQuotedValues(text: string): string {
  return text.replace(NAMED_DAY, 'until="$1"').replace(NAMED_IDS, '$1="$2"');
}

function attributesOf(text: string): Map<string, string> {
  const attributes = new Map<string, string>();
  for (const [, name = "", double, single, bare] of withQuotedValues(text).matchAll(ATTRIBUTE))
    attributes.set(name.toLowerCase(), double ?? single ?? bare ?? "");
  return attributes;
}

/**
 * Reads JSON as editors write it, comments and last commas included, and says where everything stands: so that one entry of a
 * file can be changed and the rest stays byte for byte.
 */

export interface JsonNode {
  readonly start: number;
  /** After its last character. */
  readonly end: number;
  readonly value: unknown;
  /** Of an object; null for anything else. */
  readonly members: readonly JsonMember[] | null;
}

export interface JsonMember {
  /** Where its key begins. */
  readonly start: number;
  readonly key: string;
  readonly node: JsonNode;
  /** Where the comma after it stands; null where there is none. */
  readonly comma: number | null;
}

export class JsonProblem extends Error {
  constructor(
    message: string,
    /** 1-based. */
    readonly line: number,
  ) {
    super(message);
  }
}

/** Deeper than any config goes. */
const MAX_DEPTH = 200;

/** Throws JsonProblem. */
export function readJsonc(text: string): JsonNode {
  return new Reader(text).whole();
}

class Reader {
  #at = 0;

  constructor(private readonly text: string) {
    if (text.startsWith("\uFEFF")) this.#at = 1;
  }

  whole(): JsonNode {
    this.#skip();
    const node = this.#value(0);
    this.#skip();
    if (this.#at < this.text.length) this.#fail("something follows the end");
    return node;
  }

  #value(depth: number): JsonNode {
    if (depth > MAX_DEPTH) this.#fail("it is nested too deeply");
    const character = this.text[this.#at];
    if (character === "{") return this.#object(depth);
    if (character === "[") return this.#array(depth);
    const start = this.#at;
    const value = this.#plain();
    return { start, end: this.#at, value, members: null };
  }

  #object(depth: number): JsonNode {
    const start = this.#at++;
    const members: JsonMember[] = [];
    const read = () => {
      const keyStart = this.#at;
      if (this.text[keyStart] !== '"') this.#fail("a name in double quotes is missing");
      const key = this.#plain() as string;
      this.#skip();
      if (this.text[this.#at] !== ":") this.#fail("a colon is missing");
      this.#at++;
      this.#skip();
      const node = this.#value(depth + 1);
      const comma = this.#comma("}");
      members.push({ start: keyStart, key, node, comma });
    };
    this.#items("}", read);
    return { start, end: this.#at, value: objectOf(members), members };
  }

  #array(depth: number): JsonNode {
    const start = this.#at++;
    const value: unknown[] = [];
    this.#items("]", () => {
      value.push(this.#value(depth + 1).value);
      this.#comma("]");
    });
    return { start, end: this.#at, value, members: null };
  }

  #items(close: string, read: () => void): void {
    for (this.#skip(); this.text[this.#at] !== close; this.#skip()) {
      if (this.#at >= this.text.length) this.#fail(`a '${close}' is missing`);
      read();
    }
    this.#at++;
  }

  /** Where the comma stands that follows; what follows is a comma or the end. */
  #comma(close: string): number | null {
    this.#skip();
    const character = this.text[this.#at];
    if (character === ",") return this.#at++;
    if (character !== close) this.#fail(`a comma or a '${close}' is missing`);
    return null;
  }

  /** A text, a number, true, false or null. */
  #plain(): unknown {
    const said = this.text[this.#at] === '"' ? this.#quoted() : this.#word();
    try {
      const value: unknown = JSON.parse(said);
      this.#at += said.length;
      return value;
    } catch {
      return this.#fail("a value is not written as JSON has it");
    }
  }

  /** Step by step: an expression would have to remember each character of a long text. */
  #quoted(): string {
    let end = this.#at + 1;
    while (end < this.text.length && this.text[end] !== '"') end += this.text[end] === "\\" ? 2 : 1;
    return this.text.slice(this.#at, end + 1);
  }

  #word(): string {
    WORD.lastIndex = this.#at;
    return WORD.exec(this.text)?.[0] ?? "";
  }

  /** White space and comments. */
  #skip(): void {
    TRIVIA.lastIndex = this.#at;
    this.#at += TRIVIA.exec(this.text)?.[0].length ?? 0;
    if (this.text.startsWith("/*", this.#at)) this.#fail("a comment has no end");
  }

  #fail(message: string): never {
    const line = this.text.slice(0, this.#at).split("\n").length;
    throw new JsonProblem(message, line);
  }
}

const WORD = /[\w.+-]*/y;
const TRIVIA = /(?:[ \t\r\n]+|\/\/[^\r\n]*|\/\*[\s\S]*?\*\/)*/y;

/** As JSON.parse: the last of several of one name counts, and none is special. */
function objectOf(members: readonly JsonMember[]): Record<string, unknown> {
  return Object.fromEntries(members.map(({ key, node }) => [key, node.value]));
}

/**
 * The model's vocabulary as a hash table in flat arrays, which a cold process loads straight from the cache; parsing the
 * tokenizer's JSON would take three times as long as embedding the text.
 */

const SLOTS = 2 ** 16;
/** BERT's prefix for pieces that continue a word. */
const CONTINUING = "##";
const BEGINNING_SEED = 0x811c9dc5;
const CONTINUING_SEED = 0x2f0b4c47;
const HEADER_BYTES = 12;

export class Vocabulary {
  /** Hashes of the current word's prefixes, as many as the longest token has letters. */
  private readonly hashes: Int32Array;

  private constructor(
    /** The start of each token's letters, and the end of the last. */
    private readonly starts: Uint32Array,
    /** The token's id + 1 at its hash's slot or the next free one; 0 if empty. */
    private readonly slots: Uint16Array,
    private readonly letters: Uint16Array,
    /** 1 for tokens that continue a word. */
    private readonly continuing: Uint8Array,
    longest: number,
  ) {
    this.hashes = new Int32Array(longest);
  }

  /** From the tokens in id order, in BERT's spelling. */
  static of(tokens: readonly string[]): Vocabulary {
    const continuing = Uint8Array.from(tokens, (token) => Number(isContinuing(token)));
    const spelled = tokens.map((token) => (isContinuing(token) ? token.slice(CONTINUING.length) : token));
    const starts = new Uint32Array(tokens.length + 1);
    spelled.forEach((letters, id) => {
      starts[id + 1] = (starts[id] ?? 0) + letters.length;
    });
    const letters = Uint16Array.from(
      spelled.flatMap((token) => Array.from({ length: token.length }, (_, at) => token.charCodeAt(at))),
    );
    const slots = new Uint16Array(SLOTS);
    spelled.forEach((token, id) => {
      let hash = seedOf(continuing[id] === 1);
      for (let at = 0; at < token.length; at++) hash = mix(hash, token.charCodeAt(at));
      let slot = slotOf(hash);
      while (slots[slot] !== 0) slot = (slot + 1) % SLOTS;
      slots[slot] = id + 1;
    });
    const longest = Math.max(...spelled.map((token) => token.length));
    return new Vocabulary(starts, slots, letters, continuing, longest);
  }

  static fromBytes(bytes: Uint8Array): Vocabulary {
    const own = bytes.slice();
    const [count = 0, letterCount = 0, longest = 0] = new Uint32Array(own.buffer, 0, 3);
    const starts = new Uint32Array(own.buffer, HEADER_BYTES, count + 1);
    const slots = new Uint16Array(own.buffer, starts.byteOffset + starts.byteLength, SLOTS);
    const letters = new Uint16Array(own.buffer, slots.byteOffset + slots.byteLength, letterCount);
    const continuing = new Uint8Array(own.buffer, letters.byteOffset + letters.byteLength, count);
    return new Vocabulary(starts, slots, letters, continuing, longest);
  }

  toBytes(): Uint8Array {
    const header = new Uint32Array([this.continuing.length, this.letters.length, this.hashes.length]);
    const parts = [header, this.starts, this.slots, this.letters, this.continuing];
    return Buffer.concat(parts.map((part) => new Uint8Array(part.buffer, part.byteOffset, part.byteLength)));
  }

  lengthOf(id: number): number {
    return (this.starts[id + 1] ?? 0) - (this.starts[id] ?? 0);
  }

  /** The token of the whole word, or -1. */
  idOf(word: string): number {
    const id = this.longestAt(word, 0);
    return id >= 0 && this.lengthOf(id) === word.length ? id : -1;
  }

  /** The longest token that matches the word at `start`, or -1. */
  longestAt(word: string, start: number): number {
    const longest = Math.min(this.hashes.length, word.length - start);
    let hash = seedOf(start > 0);
    for (let at = 0; at < longest; at++) {
      hash = mix(hash, word.charCodeAt(start + at));
      this.hashes[at] = hash;
    }
    for (let length = longest; length > 0; length--) {
      for (let slot = slotOf(this.hashes[length - 1] ?? 0); ; slot = (slot + 1) % SLOTS) {
        const id = (this.slots[slot] ?? 0) - 1;
        if (id < 0) break;
        if (this.isAt(id, word, start, length)) return id;
      }
    }
    return -1;
  }

  private isAt(id: number, word: string, start: number, length: number): boolean {
    if (this.lengthOf(id) !== length || this.continuing[id] !== Number(start > 0)) return false;
    const first = this.starts[id] ?? 0;
    for (let at = 0; at < length; at++)
      if (this.letters[first + at] !== word.charCodeAt(start + at)) return false;
    return true;
  }
}

function isContinuing(token: string): boolean {
  return token.startsWith(CONTINUING) && token.length > CONTINUING.length;
}

function seedOf(continuing: boolean): number {
  return continuing ? CONTINUING_SEED : BEGINNING_SEED;
}

/** FNV-1a per letter, so that one pass hashes all prefixes of a word. */
function mix(hash: number, letter: number): number {
  return Math.imul(hash ^ letter, 0x01000193);
}

function slotOf(hash: number): number {
  return (hash ^ (hash >>> 15)) & (SLOTS - 1);
}

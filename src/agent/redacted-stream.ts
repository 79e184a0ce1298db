/**
 * Redacts a text that is still growing. What it passes on is always a beginning of the redacted whole, wherever the text was cut: a
 * line that could still turn out to belong to a secret, such as the first line of a private key, is held back.
 */

/**
 * Possible next lines: the rest of a private key, the only secret that starts before the line that gives it away. It ends with a
 * character that no output contains.
 */
const PROBE = `${"b64Probe/0123456789ABCDEFGHIJKLmnopqrstuvwxyz+".repeat(2)}\n-----END PRIVATE KEY-----\0`;

export class RedactedStream {
  #text = "";
  #passedOn = "";

  constructor(private readonly redact: (text: string) => string) {}

  /** `text` is all of it so far, in complete lines. Returns what can be passed on now. */
  grow(text: string): string {
    if (text === this.#text) return "";
    this.#text = text;
    return this.#next(commonStart(this.redact(text), this.redact(text + PROBE)));
  }

  /** The rest. */
  end(): string {
    return this.#next(this.redact(this.#text));
  }

  #next(redacted: string): string {
    if (!redacted.startsWith(this.#passedOn)) return "";
    const piece = redacted.slice(this.#passedOn.length);
    this.#passedOn = redacted;
    return piece;
  }
}

function commonStart(a: string, b: string): string {
  let length = 0;
  while (length < a.length && a[length] === b[length]) length++;
  return a.slice(0, length);
}

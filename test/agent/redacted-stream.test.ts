/** Output that is redacted while it arrives. */
import { expect, test } from "bun:test";
import fc from "fast-check";
import { RedactedStream } from "../../src/agent/redacted-stream.ts";
import { redactSecrets } from "../../src/core/secrets/secrets.ts";

const KNOWN_KEY = "correct-horse-battery-staple";
const redact = (text: string) => redactSecrets(text.replaceAll(KNOWN_KEY, "[secret removed]"));

const BODY = "MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7VJTUt9Us8cKj";
const LINES = [
  "",
  "compiling src/app.ts",
  "Finished ok",
  "password:",
  "  hunter2-Xk29q",
  "DB_PASSWORD=hunter2-Xk29q",
  `using ${KNOWN_KEY} now`,
  // Not example.org: the word "example" inside a private key makes it a placeholder for the whole, but not before it arrives.
  "postgres://ada:s3cr3t-Pw9@db.internal/main",
  "-----BEGIN PRIVATE KEY-----",
  "Proc-Type: 4,ENCRYPTED",
  BODY,
  `${BODY}==`,
  "-----END PRIVATE KEY-----",
  "| user | password |",
  "|---|---|",
  "| ada | hunter2-Xk29q |",
  "hunter2-Xk29q is my password",
  "ghp_16C7e42F292c6912E7710c838347Ae178B4a",
];

test("TUI-45: output that is redacted while it arrives equals the redacted whole, wherever it is split", () => {
  const splits = fc.tuple(
    fc.array(fc.constantFrom(...LINES), { maxLength: 14 }),
    fc.array(fc.nat(100), { maxLength: 8 }),
  );
  fc.assert(
    fc.property(splits, ([lines, cuts]) => {
      const whole = lines.map((line) => `${line}\n`).join("");
      const stream = new RedactedStream(redact);
      const ends = cuts.map((cut) => Math.floor((cut / 100) * whole.length)).sort((a, b) => a - b);
      const pieces = [...ends, whole.length].map((end) => {
        const text = whole.slice(0, end);
        return stream.grow(text.slice(0, text.lastIndexOf("\n") + 1));
      });
      expect(pieces.join("") + stream.end()).toBe(redact(whole));
    }),
    { numRuns: 500 },
  );
});

test("TUI-45: ordinary lines are passed on as they arrive", () => {
  const stream = new RedactedStream(redact);
  expect(stream.grow("compiling\n")).toBe("compiling\n");
  expect(stream.grow("compiling\nDB_PASSWORD=hunter2-Xk29q\n")).toBe("DB_PASSWORD=[secret removed]\n");
});

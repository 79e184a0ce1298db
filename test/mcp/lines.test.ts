/** Splitting bytes into lines, whatever the chunks. */
import { expect, test } from "bun:test";
import fc from "fast-check";
import { LineSplitter } from "../../src/mcp/line-splitter.ts";
import { readMessage } from "../../src/mcp/read-message.ts";

/** The bytes in chunks that begin at these offsets. */
function pieces(bytes: Uint8Array, cuts: readonly number[]): Uint8Array[] {
  const places = [...new Set(cuts.map((cut) => cut % (bytes.length + 1)))].sort((a, b) => a - b);
  return [0, ...places].map((start, index) => bytes.subarray(start, places[index] ?? bytes.length));
}

test("MCP-1: lines are the same however they are split into chunks, and only long ones are skipped", () => {
  const line = fc.string({ unit: "binary", maxLength: 40 }).map((text) => text.replaceAll("\n", " "));
  fc.assert(
    fc.property(fc.array(line), fc.array(fc.nat()), fc.boolean(), (lines, cuts, isEnded) => {
      const limit = 30;
      const reader = new LineSplitter(limit);
      const text = lines.join("\n") + (isEnded && lines.length > 0 ? "\n" : "");
      const found = pieces(new TextEncoder().encode(text), cuts).flatMap((piece) => [...reader.take(piece)]);
      const all = [...found, ...reader.end()].map((one) => one && Buffer.from(one).toString());
      const expected = lines.map((one) => (Buffer.byteLength(one) > limit ? null : one.toWellFormed()));
      while (expected.at(-1) === "" && !isEnded) expected.pop();
      while (all.at(-1) === "" && !isEnded) all.pop();
      expect(all).toEqual(expected);
    }),
  );
});

test("MCP-1: any line is a message or gets an error response", () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.uint8Array(),
        fc.json().map((json) => Buffer.from(json)),
      ),
      (line) => {
        const read = readMessage(line);
        if ("message" in read) expect(read.message.jsonrpc).toBe("2.0");
        else expect([-32700, -32600]).toContain(read.wrong.error.code);
      },
    ),
  );
});

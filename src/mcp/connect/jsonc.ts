/**
 * Reads JSON with comments and trailing commas and keeps the position of every node, so that one entry of a file can change
 * while the rest stays byte for byte. `jsonc-parser` can edit as well, but it reformats the line it edits and drops comments.
 */
import { createScanner, type Node, type ParseError, parseTree, printParseErrorCode } from "jsonc-parser";
import { ConfigProblem } from "./config-format.ts";

/** Throws ConfigProblem. */
export function readJsonc(text: string): Node {
  const errors: ParseError[] = [];
  const root = parsed(text.replace(/^\uFEFF/, " "), errors);
  const [problem] = errors;
  if (root !== undefined && problem === undefined) return root;
  const line = text.slice(0, problem?.offset ?? 0).split("\n").length;
  throw new ConfigProblem(problem === undefined ? "no value" : inWords(problem), line);
}

/** The parser calls itself for each level, so a text nested deeply enough overflows the stack. */
function parsed(text: string, errors: ParseError[]): Node | undefined {
  try {
    return parseTree(text, errors, { allowTrailingComma: true });
  } catch (error) {
    if (error instanceof RangeError) throw new ConfigProblem("nested too deeply", 1);
    throw error;
  }
}

/** "CommaExpected" becomes "comma expected". */
function inWords({ error }: ParseError): string {
  return printParseErrorCode(error)
    .replace(/\B[A-Z]/g, " $&")
    .toLowerCase();
}

export function endOf({ offset, length }: Node): number {
  return offset + length;
}

/** The position of the comma after this node; null if there is none. */
export function commaAfter(text: string, node: Node): number | null {
  const scanner = createScanner(text, true);
  scanner.setPosition(endOf(node));
  scanner.scan();
  const next = scanner.getTokenOffset();
  return text[next] === "," ? next : null;
}

/** The instructions for a client's model: how to use the memory, and what it currently holds. */
import text from "../../prompts/mcp-instructions.md" with { type: "text" };
import type { Retain } from "../app.ts";
import { withScope } from "../context/scope-text.ts";
import { RetainError } from "../core/errors.ts";
import { plural } from "../util/in-words.ts";
import { INCOGNITO, isIncognito } from "./incognito.ts";
import { SWITCHED_OFF } from "./off.ts";
import { filled } from "./prompts.ts";

export async function instructionsFor(retain: Retain): Promise<string> {
  if (retain.isOff) return SWITCHED_OFF;
  return filled(withScope(text, retain.audience), { state: await stateOf(retain) });
}

async function stateOf(retain: Retain): Promise<string> {
  const parts = [await contentOf(retain), isIncognito(retain) ? INCOGNITO : ""];
  return parts.filter((part) => part !== "").join(" ");
}

/** "" if it cannot be read: that must not keep a client from connecting. */
async function contentOf(retain: Retain): Promise<string> {
  try {
    // A client waits for this, and the status of everything takes longer.
    if (retain.config.settings.memory_backend !== "local")
      return `Facts are stored in ${(await retain.status()).backend.location}.`;
    const facts = (await retain.facts.list()).length;
    const documents = (await retain.documents.collections()).reduce((sum, { count }) => sum + count, 0);
    if (facts + documents === 0) return "It is empty so far.";
    return `It holds ${plural(facts, "fact")} and ${plural(documents, "document")}.`;
  } catch (error) {
    if (!(error instanceof RetainError)) throw error;
    return "";
  }
}

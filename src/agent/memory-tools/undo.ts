/**
 * memory_undo: shows what would be undone, and undoes exactly that once it is confirmed. A document goes back to its previous
 * version, a fact ends or returns, and the last change is reverted as a whole.
 */
import { fenced } from "../../context/fence.ts";
import { RetainError } from "../../core/errors.ts";
import { documentSource } from "../../core/memory.ts";
import { shareableText } from "../../core/secrets/shareable.ts";
import { isPermanent, permanent, undoneLines } from "../../facts/undo.ts";
import type { Provenance } from "../../facts/why.ts";
import { localDay } from "../../util/days.ts";
import type { MemoryToolResult } from "../memory-tool.ts";
import { failure, memoryTool, type ToolAmong } from "./define.ts";
import { documentNamed, entryNamed, type Naming } from "./document-fields.ts";
import { mayText } from "./fields.ts";
import type { ConversationPorts } from "./ports.ts";

/** One thing that can be undone. */
interface Step {
  /** Changes when there is something else to undo. */
  readonly token: string;
  /** What is undone: "the deletion of plans/release". */
  readonly summary: string;
  /** Text from memory; "" if there is none. */
  readonly shown: string;
  undo(): Promise<unknown>;
}

export function undoTool(ports: ConversationPorts): ToolAmong {
  return memoryTool({
    name: "memory_undo",
    commands: { undo: {}, restore: { takes: ["id"] } },
    title: "Undo a change",
    description:
      "Undoes the last change, or the last one to the document or fact with an id; restores a deleted document. The first call only " +
      "shows what would be undone, and how to confirm it.",
    example: { id: "release-plan", collection: "plans" },
    effect: "remove",
    destructive: true,
    idempotent: false,
    openWorld: ports.usesNetwork(),
    fields: {
      id: mayText(),
      collection: mayText(),
      confirm: mayText("From the first call."),
    },
    async run({ id, collection, confirm }) {
      const step = id === undefined ? await lastChange(ports) : await stepFor(ports, { id, collection });
      if (confirm === step.token) {
        await step.undo();
        return {
          ok: true,
          text: [`Undone: ${step.summary}`, ...fencedChange(step)].join("\n\n"),
          data: { undone: step.summary },
          brief: "undone",
        };
      }
      const again = JSON.stringify({ id, collection, confirm: step.token });
      return unconfirmed(
        step,
        again,
        confirm === undefined ? "" : "The confirmation is not for the current state. ",
      );
    },
  });
}

function unconfirmed(step: Step, again: string, stale: string): MemoryToolResult {
  const { text, data } = failure(
    new RetainError(
      "unconfirmed",
      `${stale}Nothing was undone yet. This would undo ${step.summary}`,
      `If the user wants that, call memory_undo ${again}`,
    ),
  );
  return {
    ok: false,
    text: [text, ...fencedChange(step)].join("\n\n"),
    data,
    brief: "nothing undone yet",
  };
}

function fencedChange({ shown }: Step): string[] {
  return shown === "" ? [] : [fenced("Removed (-) and restored (+)", shareableText(shown))];
}

async function lastChange({ facts }: ConversationPorts): Promise<Step> {
  const change = await facts.lastChange();
  if (change === null)
    throw new RetainError("not_found", "There is nothing to undo.", "For a document, pass its id.");
  if (isPermanent(change)) throw permanent(change);
  const { origin, number, label, at } = change;
  return {
    token: `${origin}-${number}`,
    summary: `the last change (${label}, ${localDay(at)}).`,
    shown: undoneLines(change).join("\n"),
    undo: () => facts.undo({ origin, number }),
  };
}

async function stepFor(ports: ConversationPorts, naming: Naming): Promise<Step> {
  const entry = await entryNamed(ports, naming);
  if (entry === null) return documentStep(ports, naming);
  if (entry.kind === "fact") return factStep(ports, entry.provenance);
  throw new RetainError("usage", "A single note cannot be undone.", "Call memory_undo without an id.");
}

function factStep({ facts }: ConversationPorts, { fact, before }: Provenance): Step {
  const { id, text, ended_at } = fact;
  const replaced = before.filter(({ superseded_by }) => superseded_by === id);
  const isCurrent = ended_at === null;
  const returns = replaced.length === 0 ? "" : ", and what it replaced returns";
  return {
    token: id,
    summary: isCurrent ? `fact ${id}: it ends${returns}.` : `the end of fact ${id}: it returns.`,
    shown: [
      `${isCurrent ? "-" : "+"} ${text}`,
      ...(isCurrent ? replaced.map((old) => `+ ${old.text}`) : []),
    ].join("\n"),
    undo: () => facts.withdraw(id),
  };
}

async function documentStep({ documents, client }: ConversationPorts, naming: Naming): Promise<Step> {
  const named = await documentNamed(documents, naming);
  const past = await documents.versions(named.id, { collection: named.collection });
  const { id, collection } = past;
  const name = documentSource(past);
  const previous = past.versions.find(({ current }) => !current);
  if (previous === undefined)
    throw new RetainError(
      "not_found",
      `'${id}' has no earlier version.`,
      "To remove the document, use memory_delete.",
    );
  const { version, timestamp } = previous;
  const updated_by = client();
  const options = { collection, ...(updated_by !== undefined && { updated_by }) };
  return {
    token: past.deleted ? "deleted" : version,
    summary: past.deleted
      ? `the deletion of ${name}.`
      : `the last change of ${name}: back to ${version}${timestamp === null ? "" : ` of ${timestamp}`}; the current version is kept.`,
    shown: "",
    undo: () => documents.restore(id, past.deleted ? options : { ...options, version }),
  };
}

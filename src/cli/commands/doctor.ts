import { existsSync, statSync } from "node:fs";
import type { Retain } from "../../app.ts";
import type { DocumentRef } from "../../core/document.ts";
import { messageOf, RetainError } from "../../core/errors.ts";
import type { UnreadDocument } from "../../core/ports.ts";
import { hiddenWarning } from "../../memory/unread.ts";
import { oneLine, plural } from "../../util/text.ts";
import type { CliCommand } from "../command.ts";
import { addExamples } from "../options.ts";
import { contents } from "./reindex.ts";

interface Finding {
  readonly name: string;
  readonly ok: boolean;
  readonly detail: string;
  /** One line each, below it. */
  readonly items?: readonly string[];
  /** What to do about it. */
  readonly hint?: string;
}

/** A screen holds no more; --json gives all. */
const MOST_ITEMS = 15;

export const doctor: CliCommand = {
  define(command) {
    addExamples(command, ["retain doctor", "retain doctor --json"]);
  },

  async run(context) {
    const retain = context.open();
    const findings = [workspaceFinding(retain), ...(await indexFindings(retain)), await modelFinding(retain)];
    const failed = findings.filter(({ ok }) => !ok);
    const lines = findings.flatMap(({ name, ok, detail, items = [], hint }) => [
      `${context.terminal.style(ok ? "green" : "red", ok ? "✓" : "✗")} ${name}: ${detail}`,
      ...items.slice(0, MOST_ITEMS).map((item) => `  ${item}`),
      ...(items.length > MOST_ITEMS ? [`  and ${plural(items.length - MOST_ITEMS, "other")}`] : []),
      ...(hint === undefined ? [] : [context.terminal.style("dim", `  ${hint}`)]),
    ]);
    return {
      data: { findings },
      text: lines.join("\n"),
      quiet: failed.map(({ name, detail }) => `${name}: ${detail}`).join("\n"),
      ...(failed.length === 0
        ? {}
        : { failure: new RetainError("partial", `${plural(failed.length, "thing")} to see to.`) }),
    };
  },
};

function workspaceFinding({ workspace }: Retain): Finding {
  const { root, kind } = workspace;
  if (!existsSync(root))
    return { name: "workspace", ok: true, detail: `${root} (${kind}); made at the first put` };
  const others = (statSync(root).mode & 0o077) !== 0 && kind === "home";
  return {
    name: "workspace",
    ok: !others,
    detail: `${root} (${kind})${others ? " can be read by other users" : ""}`,
    ...(others ? { hint: `chmod 700 ${root}` } : {}),
  };
}

async function indexFindings(retain: Retain): Promise<Finding[]> {
  if (!existsSync(retain.workspace.root)) return [];
  const {
    counts,
    problems: found,
    hint,
    unread,
    misread,
    hidden,
    outOfStep,
    conversations,
  } = await retain.checkIndex();
  const { chunks, vectors, waiting } = counts;
  const wanted = retain.config.settings.embedding !== "none";
  const problems = outOfStep.length === 0 ? found : [...found, otherTexts(outOfStep)];
  return [
    ...documentFindings(unread, misread),
    ...(conversations.length === 0 ? [] : [conversationFinding(conversations)]),
    ...(hidden === null ? [] : [{ name: "documents", ok: false, detail: hiddenWarning(hidden) }]),
    {
      name: "index",
      ok: problems.length === 0,
      detail:
        problems.length === 0
          ? `sound: ${contents(counts)} in ${plural(chunks, "part")}`
          : problems.join("; "),
      ...(problems.length === 0 ? {} : { hint }),
    },
    {
      name: "vectors",
      ok: true,
      detail: `${vectors} stored${wanted ? `, ${plural(waiting, "part")} waiting` : ""}`,
      ...(wanted && waiting > 0 && found.length === 0
        ? { hint: "The next search embeds a few; all of them: retain embed" }
        : {}),
    },
  ];
}

function conversationFinding(problems: Awaited<ReturnType<Retain["checkIndex"]>>["conversations"]): Finding {
  return {
    name: "conversations",
    ok: false,
    detail: `${plural(problems.length, "file")} cannot be read as a whole`,
    items: problems.map(({ path, problem }) => oneLine(`${path}: ${problem}`)),
    hint: "What can be read is used, and nothing is deleted. Put a copy from a backup in its place, or remove it.",
  };
}

function otherTexts(outOfStep: readonly DocumentRef[]): string {
  const named = outOfStep.slice(0, MOST_ITEMS).map(({ collection, id }) => `${collection}/${id}`);
  const rest = outOfStep.length - named.length;
  const which = `${named.join(", ")}${rest === 0 ? "" : ` and ${plural(rest, "other")}`}`;
  return `${plural(outOfStep.length, "document is", "documents are")} in the index with another text than in the file: ${which}`;
}

function documentFindings(unread: readonly UnreadDocument[], misread: readonly UnreadDocument[]): Finding[] {
  const named = ({ collection, id, problem }: UnreadDocument) => oneLine(`${collection}/${id}: ${problem}`);
  const findings: Finding[] = [];
  if (unread.length > 0)
    findings.push({
      name: "documents",
      ok: false,
      detail: `${unread.length} could not be read and ${unread.length === 1 ? "is" : "are"} not searched`,
      items: unread.map(named),
      hint: "Mend, move or remove these files: a document is a plain, readable file of UTF-8 text.",
    });
  if (misread.length > 0)
    findings.push({
      name: "frontmatter",
      ok: false,
      detail: `of ${plural(misread.length, "document")} it cannot be read; the text is searched, title, tags and other fields are not`,
      items: misread.map(named),
      hint: "Fix it: retain edit <id>",
    });
  return findings;
}

async function modelFinding(retain: Retain): Promise<Finding> {
  const hint = "Searches go by words meanwhile. See the settings: retain config";
  try {
    const model = await retain.tryModel();
    const detail =
      model === null
        ? "none (embedding = none): searches go by words"
        : `${model.name}, ${model.dimensions} dimensions`;
    return { name: "model", ok: true, detail };
  } catch (error) {
    return { name: "model", ok: false, detail: messageOf(error), hint };
  }
}

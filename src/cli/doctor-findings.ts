/** The checks of `doctor`, each with a hint how to fix it. */
import { existsSync, statSync } from "node:fs";
import { surroundingsOf } from "../app/surroundings.ts";
import type { Retain } from "../app.ts";
import { readConfigFile } from "../config/file.ts";
import { chooseWorkspace, type Scope } from "../config/workspace.ts";
import type { DocumentRef } from "../core/documents/document.ts";
import { messageOf, RetainError } from "../core/errors.ts";
import type { UnreadDocument } from "../core/ports/documents.ts";
import { hiddenWarning } from "../documents/unread.ts";
import type { OpenIncidents } from "../files/incidents.ts";
import type { DeepCheck, IndexCheck } from "../index.ts";
import { localDay, localTime } from "../util/days.ts";
import { plural } from "../util/in-words.ts";
import { oneLine } from "../util/text.ts";
import { contents } from "./commands/reindex.ts";

export interface Finding {
  readonly name: string;
  readonly ok: boolean;
  readonly detail: string;
  /** Shown below the finding, one per line. */
  readonly items?: readonly string[];
  /** How to fix it. */
  readonly hint?: string;
}

/** Fits on a screen; --json lists all. */
export const MOST_ITEMS = 15;

/** Invalid config files. */
export function configFindings(scope: Scope): Finding[] {
  const here = surroundingsOf({});
  return [
    ...configFinding(() => readConfigFile(chooseWorkspace(here, "global").home.configFile, "user")),
    ...configFinding(() => {
      const { project } = chooseWorkspace(here, scope === "global" ? scope : "auto");
      if (project !== null) readConfigFile(project.configFile, "project");
    }),
  ];
}

function configFinding(read: () => void): Finding[] {
  try {
    read();
    return [];
  } catch (error) {
    if (!(error instanceof RetainError && ["io", "invalid_config"].includes(error.code))) throw error;
    const { message, hint = "" } = error;
    return [
      {
        name: "config",
        ok: false,
        detail: message,
        hint: `${hint} Then check the rest: retain doctor`.trim(),
      },
    ];
  }
}

export function incidentFindings({ incidents, problem }: OpenIncidents): Finding[] {
  if (problem !== null)
    return [
      {
        name: "incidents",
        ok: false,
        detail: problem,
        hint: "Until that is fixed, no incidents are recorded.",
      },
    ];
  if (incidents.length === 0) return [];
  return [
    {
      name: "incidents",
      ok: false,
      detail: `${incidents.length} not acknowledged`,
      items: incidentItems(incidents),
      hint: "Once you have dealt with them: retain doctor --acknowledge",
    },
  ];
}

/** Newest first. */
export function incidentItems(incidents: OpenIncidents["incidents"]): string[] {
  return incidents
    .toReversed()
    .map(({ at, what, todo }) => `${localDay(at)} ${localTime(new Date(at))} ${what} ${todo}`.trim());
}

export function workspaceFinding({ workspace }: Retain): Finding {
  const { root, kind } = workspace;
  if (!existsSync(root))
    return { name: "workspace", ok: true, detail: `${root} (${kind}); created at the first write` };
  const others = (statSync(root).mode & 0o077) !== 0 && kind === "home";
  return {
    name: "workspace",
    ok: !others,
    detail: `${root} (${kind})${others ? " can be read by other users" : ""}`,
    ...(others ? { hint: `chmod 700 ${root}` } : {}),
  };
}

export async function indexFindings(retain: Retain, deep: readonly DeepCheck[] | null): Promise<Finding[]> {
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
    memoryFiles,
  } = await retain.index.check();
  const { chunks, vectors, waiting } = counts;
  const wanted = retain.config.settings.embedding !== "none";
  const problems = outOfStep.length === 0 ? found : [...found, otherTexts(outOfStep)];
  return [
    ...documentFindings(unread, misread),
    ...(memoryFiles.length === 0 ? [] : [memoryFileFinding(memoryFiles)]),
    ...(conversations.length === 0 || deep !== null ? [] : [conversationFinding(conversations)]),
    ...(hidden === null ? [] : [{ name: "documents", ok: false, detail: hiddenWarning(hidden) }]),
    {
      name: "index",
      ok: problems.length === 0,
      detail:
        problems.length === 0 ? `ok: ${contents(counts)} in ${plural(chunks, "chunk")}` : problems.join("; "),
      ...(problems.length === 0 ? {} : { hint }),
    },
    {
      name: "vectors",
      ok: true,
      detail: `${vectors} stored${wanted ? `, ${plural(waiting, "chunk")} not embedded yet` : ""}`,
      ...(wanted && waiting > 0 && found.length === 0
        ? { hint: "Each search embeds a few. To embed all now: retain embed" }
        : {}),
    },
  ];
}

/** Findings of `--deep`. */
export function deepFindings(retain: Retain, checks: readonly DeepCheck[]): Finding[] {
  const conversations = checks.flatMap((check) => check.conversations);
  const files = checks.reduce((sum, { sessionFiles }) => sum + sessionFiles, 0);
  const different = checks.filter(({ differences }) => differences.length > 0);
  const sound = {
    name: "deep check",
    ok: true,
    detail: `${plural(files, "session file")} read; the index matches the files`,
  };
  return [
    ...(conversations.length === 0 ? [] : [conversationFinding(conversations)]),
    ...(different.length === 0 ? [sound] : different.map((check) => differenceFinding(retain, check))),
  ];
}

function differenceFinding({ workspace }: Retain, { root, kind, differences }: DeepCheck): Finding {
  const names = differences.map(({ kind, name }) => oneLine(`${kind} ${name}`));
  const option = kind === "home" && workspace.kind === "project" ? " --global" : "";
  return {
    name: "deep check",
    ok: false,
    detail: `${plural(differences.length, "difference")} between the index of ${root} and the files`,
    items: names,
    hint: `Rebuild it: retain reindex${option}`,
  };
}

function memoryFileFinding(problems: IndexCheck["memoryFiles"]): Finding {
  return {
    name: "memory files",
    ok: false,
    detail: `${plural(problems.length, "file")} cannot be read`,
    items: problems.map(({ path, problem }) =>
      oneLine(problem.includes(path) ? problem : `${path}: ${problem}`),
    ),
    hint: "Fix, move or remove them. Facts read earlier are kept; changes in these files are ignored.",
  };
}

function conversationFinding(problems: IndexCheck["conversations"]): Finding {
  return {
    name: "conversations",
    ok: false,
    detail: `${plural(problems.length, "file")} partly unreadable`,
    items: problems.map(({ path, problem }) => oneLine(`${path}: ${problem}`)),
    hint: "Retain uses the readable part and deletes nothing. Restore the file from a backup, or remove it.",
  };
}

function otherTexts(outOfStep: readonly DocumentRef[]): string {
  const named = outOfStep.slice(0, MOST_ITEMS).map(({ collection, id }) => `${collection}/${id}`);
  const rest = outOfStep.length - named.length;
  const which = `${named.join(", ")}${rest === 0 ? "" : ` and ${plural(rest, "other")}`}`;
  return `${plural(outOfStep.length, "document is", "documents are")} out of date in the index: ${which}`;
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
      hint: "Fix, move or remove these files. A document must be a readable, regular file with UTF-8 text.",
    });
  if (misread.length > 0)
    findings.push({
      name: "frontmatter",
      ok: false,
      detail: `invalid in ${plural(misread.length, "document")}; the text is searchable, but title, tags and other fields are not`,
      items: misread.map(named),
      hint: "Fix it: retain edit <id>",
    });
  return findings;
}

export async function modelFinding(retain: Retain): Promise<Finding> {
  const hint = "Until this is fixed, search matches words only. Check the settings: retain config";
  try {
    const model = await retain.index.probeEmbedder();
    const detail =
      model === null
        ? "none (embedding = none): search matches words only"
        : `${model.name}, ${model.dimensions} dimensions`;
    return { name: "model", ok: true, detail };
  } catch (error) {
    return { name: "model", ok: false, detail: messageOf(error), hint };
  }
}

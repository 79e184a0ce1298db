import { existsSync, statSync } from "node:fs";
import type { Retain } from "../../app.ts";
import { messageOf, RetainError } from "../../core/errors.ts";
import { plural } from "../../util/text.ts";
import type { CliCommand } from "../command.ts";
import { addExamples } from "../options.ts";

interface Finding {
  readonly name: string;
  readonly ok: boolean;
  readonly detail: string;
  /** What to do about it. */
  readonly hint?: string;
}

export const doctor: CliCommand = {
  define(command) {
    addExamples(command, ["retain doctor", "retain doctor --json"]);
  },

  async run(context) {
    const retain = context.open();
    const findings = [workspaceFinding(retain), ...(await indexFindings(retain)), await modelFinding(retain)];
    const failed = findings.filter(({ ok }) => !ok);
    const lines = findings.flatMap(({ name, ok, detail, hint }) => [
      `${context.terminal.style(ok ? "green" : "red", ok ? "✓" : "✗")} ${name}: ${detail}`,
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
  const { counts, problems } = await retain.checkIndex();
  const { documents, chunks, vectors, waiting } = counts;
  return [
    {
      name: "index",
      ok: problems.length === 0,
      detail:
        problems.length === 0
          ? `sound: ${plural(documents, "document")}, ${plural(chunks, "part")}`
          : problems.join("; "),
      ...(problems.length === 0 ? {} : { hint: "Build it anew: retain reindex" }),
    },
    {
      name: "vectors",
      ok: true,
      detail: `${vectors} stored, ${plural(waiting, "part")} waiting`,
      ...(waiting === 0 ? {} : { hint: "The next search embeds a few; all of them: retain embed" }),
    },
  ];
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

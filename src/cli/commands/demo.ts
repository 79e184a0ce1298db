import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { withoutKeys } from "../../config/key-variables.ts";
import { RetainError } from "../../core/errors.ts";
import { shellWord } from "../../util/shell-word.ts";
import type { CliCommand } from "../command.ts";
import { addExamples } from "../options.ts";

/** A command to run exactly as shown, with this program, in a temporary directory. */
interface Step {
  says: string;
  args: string[];
  stdin?: string;
}

const STEPS: readonly Step[] = [
  {
    says: "An agent finishes some research and saves it.",
    args: [
      "put",
      "-",
      "--collection",
      "knowledge",
      "--tags",
      "gpu,metal",
      "--context",
      "Research for issue 183",
    ],
    stdin:
      "# GPU Patterns\n\nMetal needs explicit synchronisation; CUDA streams do not.\nBatch uploads: 40 % faster on M3.\n",
  },
  {
    says: "Save a decision, and whom to ask about it.",
    args: ["put", "-", "--tags", "decision,storage", "--metadata", '{"priority": "high", "owner": "Ada"}'],
    stdin: "# We store memories as Markdown\n\nPeople read, edit and commit them. SQLite is only an index.\n",
  },
  {
    says: "Knowledge changes. Retain keeps the previous version.",
    args: ["update", "gpu-patterns", "--content", "-", "--tags", "benchmark", "--merge-tags"],
    stdin:
      "# GPU Patterns\n\nMetal needs explicit synchronisation; CUDA streams do not.\nBatch uploads: 55 % faster on M4.\n",
  },
  {
    says: "Next week you ask in other words. Search finds it by meaning, on this machine.",
    args: ["search", "how quick is it on a newer laptop?", "--limit", "1"],
  },
  {
    says: "A model marks facts in its reply. Retain saves them and prints the reply without the marks.",
    args: ["ingest", "-", "--session", "monday"],
    stdin: "Good to know.\n[MEMORY] Timezone: America/Mexico_City\n[MEMORY] Prefers concise answers\n",
  },
  {
    says: "You move. The new fact replaces the old one; 'retain undo' would undo that.",
    args: ["remember", "Timezone: Europe/Madrid"],
  },
  { says: "Facts about you, in a file that you can edit:", args: ["facts"] },
  { says: "The text an agent gets in its context:", args: ["get", "gpu-patterns"] },
];

export const demo: CliCommand = {
  define(command) {
    addExamples(command, ["retain demo"]);
  },

  async run(context) {
    const directory = mkdtempSync(join(tmpdir(), "retain-demo-"));
    try {
      mkdirSync(join(directory, "home"));
      const steps = STEPS.map((step) => ({ ...step, ...runStep(directory, step) }));
      const shown = steps.map(
        ({ says, command, output }) =>
          `${context.terminal.style("dim", `# ${says}`)}\n${context.terminal.style("bold", `$ ${command}`)}\n${output.trimEnd()}\n`,
      );
      const failed = steps.some(({ exit_code }) => exit_code !== 0);
      const data = {
        steps: steps.map(({ says, command, output, exit_code }) => ({ says, command, output, exit_code })),
      };
      const failure = failed ? new RetainError("partial", "A demo step failed.") : undefined;
      return { data, text: [...shown, NEXT].join("\n"), failure };
    } finally {
      rmSync(directory, { recursive: true });
    }
  },
};

function runStep(directory: string, { args, stdin }: Step) {
  const inherited = Object.entries(withoutKeys(process.env)).filter(([name]) => !name.startsWith("RETAIN_"));
  const result = Bun.spawnSync(
    [process.execPath, ...process.execArgv, process.argv[1] ?? "", ...args, "--global"],
    {
      cwd: directory,
      env: { ...Object.fromEntries(inherited), ...surroundings(directory) },
      stdin: new TextEncoder().encode(stdin ?? ""),
    },
  );
  const words = args.map(shellWord);
  return {
    command: `${stdin === undefined ? "" : `printf '…' | `}retain ${words.join(" ")}`,
    output: `${result.stdout}${result.stderr}`.replaceAll(directory, "…"),
    exit_code: result.exitCode,
  };
}

/** Keeps everything, the embedding model too, in the temporary directory. */
function surroundings(directory: string) {
  return { RETAIN_HOME: join(directory, "home"), RETAIN_CACHE: join(directory, "cache"), NO_COLOR: "1" };
}

const NEXT = `That was a temporary workspace, now deleted. To use your own:
  retain put notes.md --tags idea   store a file, a directory, or '-' for stdin
  retain remember "Prefers tea"     save a fact in ~/.retain/memories/MEMORY.md
  retain search "a question"        by words and meaning; 'retain get <id>' prints a hit
  cd my-project && retain init      a separate memory for a project, versioned by git
  retain --help                     all commands`;

import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { withoutKeys } from "../../config/key-variables.ts";
import { RetainError } from "../../core/errors.ts";
import { shellWord } from "../../util/text.ts";
import type { CliCommand } from "../command.ts";
import { addExamples } from "../options.ts";

/** The commands are run as they are shown, by this very program, in a directory that is gone afterwards. */
interface Step {
  says: string;
  args: string[];
  stdin?: string;
}

const STEPS: readonly Step[] = [
  {
    says: "An agent finishes some research and keeps it.",
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
    says: "A decision, and who to ask about it.",
    args: ["put", "-", "--tags", "decision,storage", "--metadata", '{"priority": "high", "owner": "Ada"}'],
    stdin: "# We store memories as Markdown\n\nPeople read, edit and commit them. SQLite is only an index.\n",
  },
  {
    says: "Knowledge changes. What it said before is kept.",
    args: ["update", "gpu-patterns", "--content", "-", "--tags", "benchmark", "--merge-tags"],
    stdin:
      "# GPU Patterns\n\nMetal needs explicit synchronisation; CUDA streams do not.\nBatch uploads: 55 % faster on M4.\n",
  },
  {
    says: "Next week, in other words: found by what it means, on this machine.",
    args: ["search", "how quick is it on a newer laptop?", "--limit", "1"],
  },
  {
    says: "A model's reply marks what is worth keeping; the marks are taken out of what you see.",
    args: ["ingest", "-", "--session", "monday"],
    stdin: "Good to know.\n[MEMORY] Timezone: America/Mexico_City\n[MEMORY] Prefers concise answers\n",
  },
  {
    says: "You move. The new fact takes the old one's place, and 'retain undo' takes it back.",
    args: ["remember", "Timezone: Europe/Madrid"],
  },
  { says: "What is known about you, in a file that you can edit:", args: ["facts"] },
  { says: "This is what an agent gets into its context:", args: ["get", "gpu-patterns"] },
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
      const failure = failed ? new RetainError("partial", "A step of the demo failed.") : undefined;
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

/** Everything, the model too, stays in the throwaway directory. */
function surroundings(directory: string) {
  return { RETAIN_HOME: join(directory, "home"), RETAIN_CACHE: join(directory, "cache"), NO_COLOR: "1" };
}

const NEXT = `That was a throwaway workspace; it is gone now. With your own:
  retain put notes.md --tags idea   keep a file, a directory, or '-' for a pipe
  retain remember "Prefers tea"     a fact, in ~/.retain/memories/MEMORY.md
  retain search "a question"        by words and by meaning; get <id> prints it
  cd my-project && retain init      a memory of its own, versioned by its git
  retain --help                     everything else`;

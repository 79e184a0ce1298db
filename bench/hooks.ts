/**
 * The cost of Claude Code's hooks as whole processes, compared with `node -e 1` and claude-mem's hooks in the same run; and how
 * often a prompt gets recalled facts, over corpora of facts with questions.
 *
 *   bun run build && bun bench/hooks.ts [--size 1000] [--rounds 20] [--claude-mem <unpacked package> | none] [--corpora <dir>]
 */
import { appendFileSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { fits } from "../src/agent/hooks/prompt-recall.ts";
import { openEmbedder } from "../src/embed/open.ts";
import { openRetain } from "../src/index.ts";
import { type RecallMode, recall } from "../src/recall/recall.ts";
import { ms, printTable, RETAIN, spawn, timeInTurn } from "./measure.ts";
import { findCorpora, loadCorpus } from "./quality/corpus.ts";
import { openStore } from "./quality/store.ts";
import { MemoryGenerator } from "./speed/generate.ts";

const { values: options } = parseArgs({
  options: {
    size: { type: "string", default: "1000" },
    rounds: { type: "string", default: "20" },
    "claude-mem": { type: "string" },
    corpora: { type: "string" },
  },
});
const cacheDirectory = join(tmpdir(), "retain-bench-cache");
const root = mkdtempSync(join(tmpdir(), "retain-hooks-bench-"));

interface Candidate {
  readonly group: "recall" | "start" | "keep";
  run(round: number): void;
}

/** A home workspace with this many embedded facts, and a transcript that grows by a turn per round. */
async function retainHooks(size: number): Promise<Record<string, Candidate>> {
  const home = join(root, "home");
  const env = {
    ...process.env,
    HOME: home,
    RETAIN_HOME: join(home, ".retain"),
    RETAIN_CACHE: cacheDirectory,
  };
  const generator = new MemoryGenerator(7);
  mkdirSync(join(home, ".retain/memories"), { recursive: true });
  const facts = Array.from({ length: size }, () => generator.text());
  writeFileSync(join(home, ".retain/memories/MEMORY.md"), facts.map((fact) => `- ${fact}\n`).join(""));
  using retain = openRetain({ cwd: home, env, homeDirectory: home });
  await retain.index.embed();
  const transcriptOf = (session: string) => join(root, `${session}.jsonl`);
  const event = (session: string, more: object) =>
    JSON.stringify({ session_id: session, transcript_path: transcriptOf(session), cwd: home, ...more });
  const grow = (session: string, round: number, reply: string) => {
    for (const [type, text] of Object.entries({ user: `Question ${round}`, assistant: reply })) {
      const said = { uuid: crypto.randomUUID(), timestamp: new Date().toISOString() };
      const message = { role: type, content: [{ type: "text", text }] };
      appendFileSync(transcriptOf(session), `${JSON.stringify({ type, ...said, message })}\n`);
    }
  };
  grow("idle", 0, "Nothing worth keeping");
  const hook = (name: string, input: string) => spawn([RETAIN, "hook", name], env, input);
  return {
    "session-start": {
      group: "start",
      run: (round) => hook("session-start", event(`start-${round}`, { source: "startup" })),
    },
    "user-prompt-submit, something recalled": {
      group: "recall",
      run: (round) => hook("user-prompt-submit", event(`told-${round}`, { prompt: facts[round * 3] })),
    },
    "user-prompt-submit, nothing recalled": {
      group: "recall",
      run: (round) =>
        hook("user-prompt-submit", event(`none-${round}`, { prompt: "fix the failing test in parser.ts" })),
    },
    "stop, nothing to save": { group: "keep", run: () => hook("stop", event("idle", {})) },
    "stop, a marked fact": {
      group: "keep",
      run(round) {
        const reply = `Done ${round}.\n\n[MEMORY] ${generator.text()}`;
        grow("busy", round, reply);
        hook("stop", event("busy", { last_assistant_message: reply }));
      },
    },
    "pre-compact, a turn to save": {
      group: "keep",
      run(round) {
        grow("compact", round, `Answer ${round}`);
        hook("pre-compact", event("compact", {}));
      },
    },
    "session-end, nothing to save": { group: "keep", run: () => hook("session-end", event("idle", {})) },
  };
}

interface Peer {
  readonly hooks: Record<string, Candidate>;
  stop(): void;
}

/** claude-mem as its plugin calls it, without its lookup in the shell; null if it can't be installed or started. */
function claudeMem(): Peer | null {
  const given = options["claude-mem"];
  if (given === "none") return null;
  const scripts = join(given ?? unpacked("claude-mem"), "plugin/scripts");
  const home = join(root, "claude-mem");
  mkdirSync(home, { recursive: true });
  const bun = join(process.execPath, "..");
  const env = {
    ...process.env,
    HOME: home,
    PATH: `${bun}:${process.env.PATH}`,
    DO_NOT_TRACK: "1",
    CLAUDE_PLUGIN_ROOT: join(scripts, ".."),
  };
  const call = (args: string[], input = "") =>
    spawn(["node", join(scripts, "bun-runner.js"), join(scripts, "worker-service.cjs"), ...args], env, input);
  const event = (more: object) =>
    JSON.stringify({ session_id: "s1", cwd: home, transcript_path: join(root, "none.jsonl"), ...more });
  try {
    call(["start"]);
  } catch (error) {
    console.error(`claude-mem failed to start: ${error}`);
    return null;
  }
  const hook = (group: Candidate["group"], name: string, more: object): Candidate => {
    return { group, run: () => call(["hook", "claude-code", name], event(more)) };
  };
  return {
    hooks: {
      "claude-mem, SessionStart": hook("start", "context", { source: "startup" }),
      "claude-mem, UserPromptSubmit": hook("recall", "session-init", { prompt: "how do we deploy?" }),
      "claude-mem, Stop": hook("keep", "summarize", {}),
    },
    stop: () => call(["stop"]),
  };
}

function unpacked(name: string): string {
  const directory = join(tmpdir(), "retain-bench-peers", name);
  if (existsSync(join(directory, "package"))) return join(directory, "package");
  mkdirSync(directory, { recursive: true });
  const { exitCode, stderr } = Bun.spawnSync(
    ["sh", "-c", `npm pack --silent ${name} && tar xzf ${name}-*.tgz`],
    { cwd: directory },
  );
  if (exitCode !== 0) console.error(`${name} could not be installed: ${stderr}`);
  return join(directory, "package");
}

async function costs(): Promise<void> {
  const own = await retainHooks(Number(options.size));
  const peer = claudeMem();
  const candidates = { ...own, ...peer?.hooks };
  const runs = Object.fromEntries(Object.entries(candidates).map(([name, { run }]) => [name, run]));
  try {
    const timings = await timeInTurn(
      { "node -e 1": () => spawn(["node", "-e", "1"]), ...runs },
      Number(options.rounds),
    );
    const node = timings["node -e 1"]?.p50 ?? Number.NaN;
    const peers = new Map(
      Object.entries(peer?.hooks ?? {}).map(([name, { group }]) => [group, timings[name]?.p50]),
    );
    const rows = Object.entries(timings).map(([name, { p50, p95 }]) => {
      const other = own[name] === undefined ? undefined : peers.get(own[name].group);
      const cheaper = other === undefined ? "" : `${(other / p50).toFixed(1)} times`;
      return [name, ms(p50), ms(p95), (p50 / node).toFixed(2), cheaper];
    });
    console.log(`${options.size} facts, whole processes:\n`);
    printTable(["hook", "p50 ms", "p95 ms", "of node -e 1", "cheaper than claude-mem's"], rows);
  } finally {
    peer?.stop();
  }
}

/** Prompts of a programmer that have nothing to do with the memories. */
const UNRELATED =
  `fix the failing test in parser.ts|rename this function to loadConfig and update its callers|why does the build fail on windows?
add a --verbose flag to the cli|write unit tests for the tokenizer|run the linter and fix what it finds|explain what this regex does
refactor this class into smaller functions|the page is blank after login, can you find out why|make the sidebar collapsible
add pagination to the list of orders|convert this callback code to async/await|can you make the query faster, it takes four seconds
write a dockerfile for this service|how do I undo my last commit|the tests pass locally but fail in ci|update the dependencies
generate a migration that adds a column email to users|find all usages of the deprecated method|change the color of the button to blue
there is a memory leak in the worker, please look into it|does this handle empty input correctly?|do the same for the other three files`.split(
    /[|\n]/,
  );

/** How many answerable questions get the answer, and how many others get anything. */
async function relevance(directory: string): Promise<void> {
  const embedder = openEmbedder(
    { embedding: "minilm", embedding_url: "", embedding_model: "", embedding_key: "" },
    { cacheDirectory, warn: (message) => console.error(message) },
  );
  if (embedder === null) throw new Error("No embedding");
  const corpora = await Promise.all(findCorpora(directory).map((path) => loadCorpus(path)));
  const rows: string[][] = [];
  for (const mode of ["both", "text"] as const satisfies RecallMode[]) {
    const counts = { answered: [0, 0], others: [0, 0], unrelated: [0, 0] };
    for (const [index, { turns, questions }] of corpora.entries()) {
      const store = await openStore(turns, embedder);
      const told = async (query: string) => {
        const request = { query, mode, limit: 30, filter: {}, onePerMemory: true };
        const { hits } = await recall(store.ports, request);
        const part = (hit: (typeof hits)[number], named: string) =>
          hit.parts.find(({ name }) => name === named)?.value;
        const fitting = hits.filter((hit) =>
          fits({
            words: part(hit, "words") ?? 0,
            meaning: part(hit, "meaning") ?? null,
            guessed: hit.guessed,
          }),
        );
        return fitting.map((hit) => store.idOf(hit));
      };
      const count = (tally: number[], isTold: boolean) => {
        tally[0] = (tally[0] ?? 0) + (isTold ? 1 : 0);
        tally[1] = (tally[1] ?? 0) + 1;
      };
      for (const { query, relevant } of questions)
        count(
          counts.answered,
          (await told(query)).some((id) => relevant.includes(id)),
        );
      for (const other of corpora.toSpliced(index, 1))
        for (const { query } of other.questions.slice(0, 60))
          count(counts.others, (await told(query)).length > 0);
      for (const query of UNRELATED) count(counts.unrelated, (await told(query)).length > 0);
      store.close();
    }
    const share = ([some = 0, all = 1]: number[]) => `${((some / all) * 100).toFixed(0)} % of ${all}`;
    rows.push([mode, share(counts.answered), share(counts.others), share(counts.unrelated)]);
  }
  console.log("\nPrompts that get recalled facts:\n");
  printTable(
    [
      "by",
      "questions, the answer",
      "questions of other corpora, anything",
      "a programmer's prompts, anything",
    ],
    rows,
  );
  embedder.close();
}

try {
  await costs();
  if (options.corpora !== undefined) await relevance(options.corpora);
} finally {
  rmSync(root, { recursive: true, force: true });
}
process.exit(0);

/** Forgets an id, and kills itself right after the n-th step that changes something. */
import { homedir } from "node:os";
import { Wiring } from "../../src/app/wiring.ts";
import { resolveWorkspace } from "../../src/config/resolve-workspace.ts";
import { forget } from "../../src/facts/forget/forget.ts";
import type { FactWorkspace } from "../../src/facts/ports.ts";

const [id = "", last = "0"] = process.argv.slice(2);
const CHANGES = new Set([
  ...["write", "begin", "drop", "clean", "end", "rewrite", "dropChanges"],
  ...["exclusively", "takeInDocuments", "replace", "settle"],
]);
let steps = 0;

function step(): void {
  if (++steps === Number(last)) process.kill(process.pid, "SIGKILL");
}

/** Wraps an object to count its finished changes. */
function counted<T extends object>(target: T): T {
  return new Proxy(target, {
    get(_, name) {
      const value = Reflect.get(target, name) as unknown;
      if (typeof value !== "function") return value;
      return (...args: unknown[]) => {
        const result: unknown = value.apply(target, args);
        if (!CHANGES.has(String(name))) return result;
        if (result instanceof Promise)
          return result.then((done) => {
            step();
            return done;
          });
        step();
        return result;
      };
    },
  });
}

function watched(workspace: FactWorkspace): FactWorkspace {
  const { tree, scrub, past } = workspace.traces;
  return counted({
    ...workspace,
    traces: { tree: counted(tree), scrub: counted(scrub), past },
    sessions: counted(workspace.sessions),
    files: counted(workspace.files),
    facts: counted(workspace.facts),
    lock: counted(workspace.lock),
  });
}

const surroundings = { cwd: process.cwd(), env: process.env, homeDirectory: homedir(), userId: null };
const wiring = new Wiring({
  ...resolveWorkspace(surroundings, "auto"),
  surroundings,
  scope: "auto",
  clock: () => new Date(),
  warn: () => {},
});
const places = wiring.factWorkspaces();
void forget({ ...places, read: places.read.map(watched) }, id, {}).then(() => wiring.close());

/** A machine whose vectors are on a stand-in Upstash index. */
import { rmSync } from "node:fs";
import { join } from "node:path";
import { afterThisTest } from "./clean-up.ts";
import { type RunOptions, Sandbox } from "./sandbox.ts";
import { UpstashServer } from "./upstash-server.ts";

/** The namespace of the home workspace. */
export const HOME = "retain-global";

/** A machine that uses the index, which embeds by itself. Commands run beside the server, which is in this process. */
export class Machine extends Sandbox {
  constructor(readonly server: UpstashServer) {
    super();
  }

  get variables(): Record<string, string> {
    return {
      ...this.server.env,
      ...{
        RETAIN_EMBEDDING: "none",
        RETAIN_UPSTASH_EMBEDDING: "upstash",
        RETAIN_UPSTASH_TIMEOUT_MS: "60000",
      },
    };
  }

  async retain(args: string[], options: RunOptions = {}) {
    const process = this.start(args, { ...options, env: { ...this.variables, ...options.env } });
    const [stdout, stderr] = await Promise.all([
      new Response(process.stdout).text(),
      new Response(process.stderr).text(),
    ]);
    return { exitCode: await process.exited, stdout, stderr };
  }

  /** As after half a minute: the index is asked again. */
  forgetFailure(): void {
    for (const file of new Bun.Glob("**/upstash-*/state.json").scanSync({ cwd: this.memory, dot: true }))
      rmSync(join(this.memory, file));
  }

  async json(args: string[], options: RunOptions = {}) {
    const { stdout, stderr } = await this.retain([...args, "--json"], options);
    if (stdout === "") throw new Error(stderr);
    return JSON.parse(stdout).data;
  }

  async found(query: string, options: RunOptions = {}) {
    const { results } = await this.json(["search", query], options);
    return results.map(({ text, origin }: { text: string; origin: string }) => `${origin}: ${text}`);
  }
}

export async function machines(count: number): Promise<Machine[]> {
  const server = await new UpstashServer().start();
  afterThisTest(() => server.stop());
  return Array.from({ length: count }, () => new Machine(server));
}

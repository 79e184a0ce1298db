/** oh-my-pi, which has Hindsight's API built in, with Retain as its server. */
import { expect } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { AnthropicServer } from "../helpers/anthropic-server.ts";
import { AGENTS, testNeeding } from "../helpers/needs.ts";
import { Sandbox } from "../helpers/sandbox.ts";
import { startServe, TOKEN } from "./kit.ts";

testNeeding("omp")(
  "SERVE-3: oh-my-pi stores a conversation, and its model gets what was said in an earlier one",
  async () => {
    await using model = await new AnthropicServer(() => ({ text: "Noted." })).start();
    const sandbox = new Sandbox();
    const { url } = await startServe(sandbox);
    const agent = join(sandbox.home, ".omp/agent");
    mkdirSync(agent, { recursive: true });
    const provider = `providers:\n  anthropic:\n    baseUrl: ${model.origin}\n    apiKey: x\n`;
    writeFileSync(join(agent, "models.yml"), provider);
    writeFileSync(
      join(agent, "config.yml"),
      "memory:\n  backend: hindsight\nhindsight:\n  retainEveryNTurns: 1\n",
    );
    const ask = async (prompt: string) => {
      const omp = Bun.spawn([AGENTS.omp, "-p", prompt, "--model", "anthropic/claude-sonnet-4-5"], {
        cwd: sandbox.work,
        env: sandbox.env({ HINDSIGHT_API_URL: url, HINDSIGHT_API_TOKEN: TOKEN }),
        stdin: "ignore",
        stdout: "ignore",
        stderr: "ignore",
      });
      expect(await omp.exited).toBe(0);
    };
    await ask("The staging cluster is called Heron and listens on port 8080.");
    const before = model.requests.length;
    await ask("Which port does Heron listen on?");
    expect(model.requests[before]?.bodyText).toContain("listens on port 8080");
  },
  120_000,
);

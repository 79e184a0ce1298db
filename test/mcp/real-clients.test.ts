/** Real clients read what `retain connect` writes, and start the server. */
import { expect } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { AGENTS, testNeeding } from "../helpers/needs.ts";
import { Sandbox } from "../helpers/sandbox.ts";

/** What a client prints, whatever its exit code. */
function says(sandbox: Sandbox, command: string[], stdin = ""): string {
  const { stdout, stderr } = Bun.spawnSync(command, {
    cwd: sandbox.work,
    env: sandbox.env(),
    stdin: Buffer.from(stdin),
  });
  return `${stdout}${stderr}`;
}

testNeeding("codex")(
  "CONNECT-1: Codex reads the entry in the user's file, and in a trusted project's",
  async () => {
    const sandbox = new Sandbox();
    const list = () => says(sandbox, [AGENTS.codex, "mcp", "list", "--json"]);
    sandbox.ok(["connect", "codex"]);
    expect(list()).toContain('"name": "retain"');
    sandbox.ok(["connect", "codex", "--undo"]);
    expect(list()).not.toContain('"name": "retain"');
    await sandbox.makeProject();
    sandbox.ok(["connect", "codex"]);
    const trust = `[projects.${JSON.stringify(sandbox.work)}]\ntrust_level = "trusted"\n`;
    writeFileSync(join(sandbox.home, ".codex/config.toml"), trust);
    expect(list()).toContain('"name": "retain"');
  },
);

testNeeding("opencode")(
  "CONNECT-1: opencode starts the server of the user's file, and of a project's",
  async () => {
    for (const isProject of [false, true]) {
      const sandbox = new Sandbox();
      if (isProject) await sandbox.makeProject();
      sandbox.ok(["connect", "opencode"]);
      expect(says(sandbox, [AGENTS.opencode, "mcp", "list"])).toMatch(/✓ retain .*connected/);
    }
  },
);

testNeeding("gemini")(
  "CONNECT-1: Gemini CLI starts the server of the user's file, and of a project's",
  async () => {
    for (const isProject of [false, true]) {
      const sandbox = new Sandbox();
      if (isProject) await sandbox.makeProject();
      sandbox.ok(["connect", "gemini"]);
      mkdirSync(join(sandbox.home, ".gemini"), { recursive: true });
      const trust = JSON.stringify({ [sandbox.work]: "TRUST_FOLDER" });
      writeFileSync(join(sandbox.home, ".gemini/trustedFolders.json"), trust);
      expect(says(sandbox, [AGENTS.gemini, "mcp", "list"])).toMatch(/retain: .*Connected/);
    }
  },
);

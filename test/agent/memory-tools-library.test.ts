/** The tools without a chat: in a program, and in the example. */
import { expect, test } from "bun:test";
import { join } from "node:path";
import { ToolPlace } from "./memory-tools-place.ts";

test("LIB-1: a program gets the tools without a chat, for its own conversation, while Retain is open", async () => {
  const place = new ToolPlace();
  await place.call("retain", { items: [{ content: "Ada likes tea" }] }, { session: "monday" });
  const [fact] = await place.retain.facts.list();
  expect(fact?.source.session).toBe("monday");
  const wrong = await place.call("retain", { items: [{ content: "x" }] }, { session: "../up" });
  expect([wrong.ok, wrong.data.error.code]).toEqual([false, "invalid_name"]);
  const reading = await place.retain.memoryTools({ incognito: true });
  expect(reading.every(({ readOnly }) => readOnly)).toBe(true);
  const recall = await place.tool("recall");
  place.retain.close();
  const closed = await recall.run({ query: "tea" }, new AbortController().signal);
  expect(closed).toMatchObject({ ok: false, data: { error: { code: "usage" } } });
  expect(closed.text).toContain("closed");
});

test("LIB-1: the agent tools example prints the documented output", () => {
  const file = join(import.meta.dir, "../../examples/02-agent-tools.ts");
  const { stdout, stderr, exitCode } = Bun.spawnSync([process.execPath, file]);
  expect([stderr.toString(), exitCode]).toEqual(["", 0]);
  for (const line of [
    "recall: Recall memories, only reads",
    "ok: 2 memories stored.",
    "ok: 0 memories stored.\n- already known as fact ",
    "inferred: Deploys run on Fridays after the backup.",
    "failed: ambiguous: ",
    "- Ada reviews every migration. [",
    'from fact "Ada reviews every migration."',
  ])
    expect(stdout.toString()).toContain(line);
});

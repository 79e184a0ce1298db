/** Runs the backend contract on the local, the Hindsight and a program's own backend. */
import { MapBackend } from "../../examples/map-backend.ts";
import { openRetain } from "../../src/index.ts";
import { backendContract } from "../contract/backend.ts";
import { Sandbox } from "../helpers/sandbox.ts";
import { flush, HindsightKit } from "./hindsight-kit.ts";

backendContract("local", async () => {
  const sandbox = new Sandbox();
  const retain = openRetain({
    ...{ cwd: sandbox.work, homeDirectory: sandbox.home, env: sandbox.env() },
    settings: { embedding: "none" },
  });
  return { backend: await retain.backend(), settle: async () => {}, close: () => retain.close() };
});

backendContract("a program's own backend", async () => {
  const backend = new MapBackend();
  return { backend, settle: async () => {}, close: () => backend.close() };
});

for (const tags of [[], ["project:aurora"]])
  backendContract(`Hindsight with ${tags.length === 0 ? "a bank of its own" : "a tag"}`, async () => {
    const kit = await HindsightKit.start();
    const backend = kit.open({ tags });
    const settle = async () => {
      await flush(backend);
      kit.serverHasLearned();
    };
    return { backend, settle, close: () => backend.close() };
  });

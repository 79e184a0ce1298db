/** Runs the backend contract on the Hindsight backend and a program's own. */
import { MapBackend } from "../../examples/map-backend.ts";
import { backendContract } from "../contract/backend.ts";
import { flush, HindsightKit } from "./hindsight-kit.ts";

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

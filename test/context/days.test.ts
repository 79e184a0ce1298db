/** Log days in the user's time zone. */
import { expect, test } from "bun:test";
import { join } from "node:path";
import { MemoryBox } from "./memory-box.ts";

const LIBRARY = join(import.meta.dir, "../../src/index.ts");

function withLogs(...days: string[]): MemoryBox {
  const memories = new MemoryBox();
  for (const day of days) memories.home(`${day}.md`, `## 10:00 - Note\nnoted on ${day}\n`);
  return memories;
}

async function daysShown(memories: MemoryBox, memory_days: number): Promise<string[]> {
  const { text } = await memories.context({}, { settings: { embedding: "none", memory_days } });
  return text.match(/(?<=noted on )\S+/g) ?? [];
}

test("CTX-5: the logs of the last memory_days calendar days go in, including today, across months too", async () => {
  const memories = withLogs(
    "2026-02-26",
    "2026-02-27",
    "2026-02-28",
    "2026-03-01",
    "2026-03-02",
    "2025-03-01",
  );
  memories.now = new Date(2026, 2, 1, 0, 5);
  expect(await daysShown(memories, 3)).toEqual(["2026-02-27", "2026-02-28", "2026-03-01"]);
  expect(await daysShown(memories, 1)).toEqual(["2026-03-01"]);
  expect(await daysShown(memories, 0)).toEqual([]);
  memories.now = new Date(2026, 2, 1, 23, 55);
  expect(await daysShown(memories, 2)).toEqual(["2026-02-28", "2026-03-01"]);
});

test("CTX-5: days without a log count: three days are not the newest three files", async () => {
  const memories = withLogs("2026-11-01", "2026-11-02", "2026-11-13");
  expect(await daysShown(memories, 3)).toEqual(["2026-11-13"]);
});

/** Runs the library in its own process, since a process has one time zone. */
function daysIn(zone: string, moment: string, memories: MemoryBox): string[] {
  const { work: cwd, home: homeDirectory } = memories.box;
  const options = JSON.stringify({ cwd, homeDirectory, env: {}, settings: { embedding: "none" } });
  const script = `
    import { openRetain } from ${JSON.stringify(LIBRARY)};
    const retain = openRetain({ ...${options}, clock: () => new Date(${JSON.stringify(moment)}) });
    console.log((await retain.context()).text);
    retain.close();`;
  const { stdout, stderr } = Bun.spawnSync([process.execPath, "-e", script], {
    env: { ...memories.box.env(), TZ: zone },
  });
  expect(stderr.toString()).toBe("");
  return stdout.toString().match(/(?<=noted on )\S+/g) ?? [];
}

test("CTX-5: days are in the user's time zone, even when clocks change", () => {
  const memories = withLogs("2026-10-23", "2026-10-24", "2026-10-25", "2026-10-26", "2026-10-27");
  const moment = "2026-10-25T23:30:00Z";
  expect(daysIn("UTC", moment, memories)).toEqual(["2026-10-23", "2026-10-24", "2026-10-25"]);
  expect(daysIn("Europe/Madrid", moment, memories)).toEqual(["2026-10-24", "2026-10-25", "2026-10-26"]);
  expect(daysIn("Pacific/Kiritimati", moment, memories)).toEqual(["2026-10-24", "2026-10-25", "2026-10-26"]);
  expect(daysIn("America/Los_Angeles", moment, memories)).toEqual(["2026-10-23", "2026-10-24", "2026-10-25"]);
});

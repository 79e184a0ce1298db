/** Memories as units, in the order that clients page through. */
import { expect, test } from "bun:test";
import { openRetain } from "../../src/index.ts";
import { units } from "../../src/serve/units.ts";
import { afterThisTest } from "../helpers/clean-up.ts";
import { Sandbox } from "../helpers/sandbox.ts";

test("SERVE-3: units are newest first, whatever their time zone, and those of one time by id", async () => {
  const sandbox = new Sandbox();
  const retain = openRetain({
    ...{ cwd: sandbox.work, homeDirectory: sandbox.home, env: sandbox.env() },
    settings: { embedding: "none" },
  });
  afterThisTest(() => retain.close());
  const dates = {
    ...{
      late: "2026-03-01T23:30:00-05:00",
      early: "2026-03-02T01:00:00+09:00",
      c: "2026-03-02",
      a: "2026-03-02",
    },
    ...{ b: "2026-03-02T00:00:00Z", whenever: "some day" },
  };
  for (const [id, date] of Object.entries(dates))
    await retain.documents.put({ id, collection: "notes", content: id, metadata: { date } });
  const ids = (await units(retain)).map(({ id }) => id.split("/")[1]);
  expect(ids).toEqual(["late", "a", "b", "c", "early", "whenever"]);
});

/** Conversations and a damaged database, from the command line. */
import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { WorkspaceDatabase } from "../../src/sqlite/database/database.ts";
import { withSessions } from "../helpers/conversations.ts";
import {
  allSaid,
  converse,
  imageOf,
  messagesIn,
  overwrite,
  searched,
  setAsideIn,
  spoil,
} from "../helpers/damage.ts";
import { testNeeding } from "../helpers/needs.ts";
import { RETAIN, Sandbox } from "../helpers/sandbox.ts";

const COUNT = 400;
const QUIET = { env: { RETAIN_EMBEDDING: "none" } };

/** A home workspace with conversations. */
async function home(): Promise<{ box: Sandbox; path: string }> {
  const box = new Sandbox();
  box.ok(["put", "-", "--id", "note"], { stdin: "# Note\n\nTokens rotate daily.\n" });
  const path = join(box.memory, "retain.db");
  await withSessions(box, (sessions) => converse(sessions, 60));
  return { box, path };
}

test("RESCUE-1: search finds messages again after damage, and says so once", async () => {
  const { box, path } = await home();
  spoil(path, searched(path).slice(0, 1));
  const { json } = box.ok(["search", '"Message 17 of ours"', "--json"]);
  expect(json.data.results[0].text).toStartWith("Message 17 of ours");
  expect(json.warnings).toHaveLength(1);
  expect(box.ok(["search", "tokens", "-q"]).stdout).toContain("note");
  expect(box.ok(["search", '"Message 18 of ours"', "--json"]).json.warnings).toEqual([]);
});

test("RESCUE-1: reindex keeps conversations", async () => {
  const { box, path } = await home();
  box.ok(["reindex"]);
  const { json } = box.ok(["search", '"Message 17 of ours"', "--json"]);
  expect(json.data.results[0].text).toStartWith("Message 17 of ours");
  const database = new WorkspaceDatabase(
    path,
    () => {},
    () => {},
  );
  expect(messagesIn(database)).toEqual(allSaid(60));
  database.close();
});

testNeeding("mount namespaces")(
  "RESCUE-1: nothing is lost on a full disk, and conversations are rescued once there is space",
  async () => {
    const box = new Sandbox();
    const disk = join(box.root, "disk");
    mkdirSync(disk);
    const image = await imageOf(COUNT);
    const deep = box.write("deep", image);
    spoil(deep, searched(deep).slice(0, 1));
    overwrite(box.write("header", image), 0, Buffer.alloc(100));
    const search = `retain search '"Message 17 of ours"' --json`;
    const env = box.env({ PATH: `${dirname(RETAIN)}:${process.env.PATH}`, RETAIN_HOME: disk, ...QUIET.env });
    for (const name of ["deep", "header"]) {
      const script = `mount -t tmpfs -o size=6m tmpfs ${disk} && cp ${name} ${disk}/retain.db
        dd if=/dev/zero of=${disk}/filler bs=1k count=8000 2>/dev/null
        ${search} >/dev/null; rm ${disk}/filler; ${search}; ls ${disk}`;
      const { stdout } = Bun.spawnSync(["unshare", "-rm", "sh", "-c", script], { cwd: box.work, env });
      expect([name, `${stdout}`]).toEqual([name, expect.stringMatching(/400 messages .*5 sessions/)]);
      expect(`${stdout}`).toContain('"text": "Message 17 of ours');
      expect(`${stdout}`.match(/retain\.db\.\S+$/gm)).toHaveLength(1);
    }
  },
);

test("FORMAT-1: a database of a newer version is left alone, and no message says to delete it", async () => {
  const { box, path } = await home();
  using database = new Database(path);
  database.run("PRAGMA user_version = 999");
  const { exitCode, stderr } = box.run(["search", "tokens"]);
  expect(exitCode).toBe(1);
  expect(stderr).toContain("Update Retain");
  expect(stderr).not.toContain("delete");
  expect(setAsideIn(box.memory)).toEqual([]);
});

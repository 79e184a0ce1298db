/** Disks that are full or read-only, for real: a small tmpfs or a read-only mount in a mount namespace. */
import { expect } from "bun:test";
import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { conversation, talk } from "../helpers/conversations.ts";
import { testNeeding } from "../helpers/needs.ts";
import { RETAIN, Sandbox } from "../helpers/sandbox.ts";

const note = { stdin: "# Note\n\ntext\n" };
const mounted = testNeeding("mount namespaces");

/** Runs a script as if it were root on a machine of its own, where mounts are nobody else's business. */
function inNamespace(sandbox: Sandbox, script: string): string {
  const env = sandbox.env({ PATH: `${join(RETAIN, "..")}:${process.env.PATH}` });
  const result = Bun.spawnSync(["unshare", "-rm", "sh", "-c", script], { cwd: sandbox.work, env });
  return `${result.stdout}${result.stderr}`;
}

mounted("DUR-4: on a full disk nothing is changed, and the error says so", () => {
  const sandbox = new Sandbox();
  const disk = join(sandbox.root, "disk");
  mkdirSync(disk);
  const output = inNamespace(
    sandbox,
    `mount -t tmpfs -o size=512k tmpfs ${disk} && export RETAIN_HOME=${disk}/retain
     printf '# Note\\n\\nbefore\\n' | retain put - --quiet
     head -c 300000 /dev/zero | tr '\\0' x > big.txt
     dd if=/dev/zero of=${disk}/filler bs=1k count=1000 2>/dev/null
     retain put big.txt --id note; echo "exit $?"
     retain update note --content big.txt; echo "exit $?"
     retain get note --format raw
     find ${disk}/retain -name '.tmp-*' | wc -l`,
  );
  expect(output).toMatch(/the disk is full/);
  expect(output.match(/exit 1/g)).toHaveLength(2);
  expect(output).toContain("# Note\n\nbefore\n0\n");
});

mounted("DUR-4: a put of many that meets a full disk says how many were stored, and they are", () => {
  const sandbox = new Sandbox();
  const disk = join(sandbox.root, "disk");
  mkdirSync(disk);
  for (let index = 0; index < 30; index++)
    sandbox.write(`many/${index}.md`, `# D${index}\n\n${"x".repeat(40_000)}\n`);
  const output = inNamespace(
    sandbox,
    `mount -t tmpfs -o size=900k tmpfs ${disk} && export RETAIN_HOME=${disk}/retain
     retain put many --json > result.json; echo "exit $?"
     rm -f ${disk}/retain/collections/memory/d0.md
     ls ${disk}/retain/collections/memory | wc -l`,
  );
  const { counts, failed } = JSON.parse(readFileSync(join(sandbox.work, "result.json"), "utf8")).data;
  expect(counts.created).toBeGreaterThan(5);
  expect(counts.created + counts.failed + counts.not_tried).toBe(30);
  expect(failed[0].message).toContain("the disk is full");
  expect(output).toBe(`exit 1\n${counts.created - 1}\n`);
});

mounted("SESS-29: on a full disk an export leaves nothing behind", async () => {
  const sandbox = new Sandbox();
  const id = await conversation(sandbox, talk("x".repeat(300_000)));
  const disk = join(sandbox.root, "disk");
  mkdirSync(disk);
  const output = inNamespace(
    sandbox,
    `mount -t tmpfs -o size=128k tmpfs ${disk} && retain sessions export ${id} --output ${disk}/talk.json
     echo "exit $?"; ls -A ${disk} | wc -l`,
  );
  expect(output).toMatch(/the disk is full/);
  expect(output).toMatch(/exit 1\n0\n/);
});

mounted("in a read-only workspace reading works, and writing says why it does not", async () => {
  const sandbox = new Sandbox();
  await sandbox.addDocument(note.stdin);
  const output = inNamespace(
    sandbox,
    `mount --bind ${sandbox.home} ${sandbox.home} && mount -o remount,bind,ro ${sandbox.home}
     retain list -q; retain get note --format raw; retain versions note -q; retain search text -q
     echo '# B' | retain put -; echo "exit $?"
     retain update note --tags x; echo "exit $?"
     retain delete note; echo "exit $?"`,
  );
  expect(output).toStartWith("note\n# Note\n\ntext\nv1\nnote\n");
  expect(output.match(/exit 1/g)).toHaveLength(3);
  expect(output).toContain("Cannot write to");
  expect(sandbox.document("memory", "note")).toEndWith("# Note\n\ntext\n");
});

mounted("INDEX-7: on a full disk 'doctor' asks for space, not for a new index", () => {
  const sandbox = new Sandbox();
  const disk = join(sandbox.root, "disk");
  mkdirSync(disk);
  const output = inNamespace(
    sandbox,
    `mount -t tmpfs -o size=2m tmpfs ${disk} && export RETAIN_HOME=${disk}/retain RETAIN_EMBEDDING=none
     printf '# Note\\n\\nbefore\\n' | retain put - --quiet
     dd if=/dev/zero of=${disk}/filler bs=1k count=4000 2>/dev/null
     retain doctor; echo "exit $?"`,
  );
  expect(output).toContain("the disk is full");
  expect(output).toContain("Free some space");
  expect(output).not.toContain("retain reindex");
  expect(output).toContain("exit 1");
});

/** Which part of a shell command is noted as done. */
import { expect, test } from "bun:test";
import { shellActivity } from "../../src/agent/hooks/shell-activity.ts";

const NOTED: readonly (readonly [string, ...string[]])[] = [
  ["ls -la && npm test 2>&1 | tail -20", "npm test"],
  ["cd x; git status; git -C sub log; git branch -a; grep -rn foo . > /dev/null; node --version"],
  ["git add -A && git commit -qm 'Add it' && git push", 'git commit "Add it"', "git push"],
  ['git commit -m "$(cat <<\'EOF\'\nFix "tax"\n\nMore.\nEOF\n)"', "git commit \"Fix 'tax'\""],
  ["cat > notes.md <<'EOF'\nthe contents\nEOF\nmake build", "cat > notes.md", "make build"],
  ['API_KEY=abc curl -H "Authorization: Bearer x" https://a.b/c', "curl"],
  ["sed -n 1,5p a; sed -i 's/a/b/' src/x.ts", "sed"],
  ["echo the contents > out.txt", "echo > out.txt"],
  ["for f in *.ts; do prettier --write $f; done", "prettier"],
  ["time env A=1 make", "make"],
  ["find . -name '*.log' -delete; find . -type f", "find"],
  ["docker compose up -d; mysql -u root -phunter2x app < dump.sql", "docker compose up", "mysql"],
  ["npm run build:web --workspace shop", "npm run build:web"],
  ["'"],
];

test("a command is noted without reading programs, data and variables", () => {
  for (const [command, ...noted] of NOTED)
    expect([command, ...shellActivity(command).commands]).toEqual([command, ...noted]);
});

test("removed files are noted by their names, unless those depend on the shell", () => {
  for (const [command, removed, ...commands] of [
    ["rm -rf src/old.ts dist && npm test", ["src/old.ts", "dist"], "npm test"],
    ["git rm -q --force src/older.ts", ["src/older.ts"]],
    ["git rm --cached src/older.ts", [], "git rm"],
    ["rm src/*.ts", [], "rm src/*.ts"],
    ['rm "$FILE"', [], "rm"],
    ["cd sub && rm it.ts", [], "rm it.ts"],
    ["docker rm shop", [], "docker rm shop"],
  ] as const)
    expect([command, shellActivity(command)]).toEqual([
      command,
      { removed: [...removed], commands: [...commands] },
    ]);
});

test("a command of any length is read in time", () => {
  for (const piece of ["$(", "<<E\n", '"', "'", "\\", "> ", "`", "(("])
    expect(shellActivity(piece.repeat(100_000)).commands).toBeArray();
});

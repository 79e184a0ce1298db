/** What a break-in test tried with commands, as tables; and real programs that are asked what they would have done. */
import { expect, test } from "bun:test";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import type { ToolPlan } from "../../src/agent/tool.ts";
import { Approvals } from "../../src/agent/tools/approval.ts";
import { judgeCommand } from "../../src/agent/tools/command-judge.ts";
import { patternOf } from "../../src/agent/tools/command-pattern.ts";
import { withoutBraces } from "../../src/agent/tools/shell-braces.ts";
import { COMMANDS } from "../../src/cli/commands.ts";
import {
  ASKED,
  DESTROYING,
  ELSEWHERE,
  EVERYDAY,
  HIDDEN_PROGRAMS,
  RETAIN_ASKED,
  RETAIN_FREE,
  RETAIN_NEVER,
} from "./tools-break-in.ts";
import { HERE } from "./tools-commands.ts";
import { Place } from "./tools-place.ts";

const verdict = (plan: ToolPlan) => new Approvals("all").judge(plan).verdict;
const verdictIn = async (place: Place, command: string) =>
  verdict(await place.plan("run_command", { command }));

/** As a line of a table, with what it would be for this session. */
function judged(
  command: string,
): [command: string, verdict: "never" | "ask" | "allow", pattern: string | null] {
  const judgement = judgeCommand(command, HERE);
  const { denied, caution, outside } = judgement;
  const word = denied !== null ? "never" : caution !== null || outside ? "ask" : "allow";
  return [command, word, patternOf(judgement)];
}

function inDirectory<T>(run: (directory: string) => T): T {
  const directory = mkdtempSync(join(tmpdir(), "retain-judge-"));
  try {
    return run(directory);
  } finally {
    rmSync(directory, { recursive: true });
  }
}

test("APPROVE-4: a forbidden program is denied behind every program that runs others", () => {
  for (const command of HIDDEN_PROGRAMS) expect(judged(command)).toEqual([command, "never", null]);
  const runners =
    "env nohup setsid nice timeout tmux screen fakeroot setpriv unshare systemd-run xargs strace".split(" ");
  for (const runner of runners)
    for (const rest of [
      "sudo ls",
      "-x sudo ls",
      "-x y sudo ls",
      "-x 'sudo ls'",
      "-x'sudo ls'",
      "--y='sudo ls'",
    ])
      expect(judged(`${runner} ${rest}`)).toEqual([`${runner} ${rest}`, "never", null]);
});

test("APPROVE-4: what sweeps, reaches into git, ends others or runs what was fetched is denied", () => {
  for (const command of DESTROYING) expect(judged(command)).toEqual([command, "never", null]);
});

test("APPROVE-4: no expression of find empties the working directory without a question", () => {
  const files = ["README.md", "a.ts", ".hidden", "q7"];
  const piece = fc.constantFrom(
    ..."! -o ( ) , -not -true -delete -delete -print -prune -depth".split(" "),
    ..."-name|* -name|*.* -name|?* -name|[a-zA-Z.]* -name|. -name|*.ts -name|q7 -path|* -path|./* -path|./q7".split(
      " ",
    ),
    ..."-iname|* -type|f -type|d -size|-9k -mtime|-9 -regex|.* -maxdepth|1 -mindepth|1 -exec|rm|-rf|{}|;".split(
      " ",
    ),
    ..."-exec|rm|-rf|{}|+ -exec|env|rm|-rf|{}|; -newer|q7 -empty".split(" "),
  );
  const line = fc.array(piece, { minLength: 1, maxLength: 7 });
  let emptied = 0;
  inDirectory((directory) => {
    const check = fc.property(line, fc.constantFrom(".", "./", ""), (pieces, start) => {
      const work = join(directory, "work");
      const words = [...(start === "" ? [] : [start]), ...pieces.flatMap((one) => one.split("|"))];
      const command = ["find", ...words.map((word) => `'${word}'`)].join(" ");
      mkdirSync(work, { recursive: true });
      for (const file of files) writeFileSync(join(work, file), "");
      Bun.spawnSync(["find", ...words], {
        cwd: work,
        env: { PATH: process.env.PATH },
        stdin: "ignore",
        timeout: 5_000,
      });
      const isEmptied = !existsSync(work) || readdirSync(work).length === 0;
      if (!isEmptied) return;
      emptied++;
      expect([command, judged(command)[1] === "allow"]).toEqual([command, false]);
    });
    fc.assert(check, { numRuns: 400 });
  });
  expect(emptied).toBeGreaterThan(20);
});

test("APPROVE-7: what cannot be told before it runs, or goes further than files, is asked about in every mode", async () => {
  const place = new Place();
  for (const command of ASKED) {
    expect(judged(command)).toEqual([command, "ask", null]);
    expect([command, await verdictIn(place, command)]).toEqual([command, "ask"]);
  }
});

test("APPROVE-7: a place outside is seen behind an option's letter, in an address, and up from what is not known", async () => {
  const place = new Place();
  for (const command of ELSEWHERE)
    expect([command, await verdictIn(place, command)]).toEqual([command, "ask"]);
});

test("APPROVE-7: what sed would write or run is seen, whatever its script", () => {
  const piece = fc.constantFrom(
    ..."w W e p ; / [ ] \\ ! { } 1 $ , s y r n # | a ^ & I g".split(" "),
    ...[
      "s/a/b/",
      "s/[/]/b/w out",
      "/w/",
      "/[/w]/",
      "w out",
      "e : > out",
      "s/a/: > out/e",
      "y/ab/ba/",
      "a\\",
      "i x",
      "\n",
    ],
    ...[" ", "\n", "1,$", "\\|w|", "s|a|b|", "s,a,b,w out", "}\n", "b x", ": x\n", "# x\n", "r f", "$!N"],
  );
  const script = fc.array(piece, { minLength: 1, maxLength: 6 }).map((pieces) => pieces.join(""));
  let acted = 0;
  inDirectory((directory) => {
    const check = fc.property(script, (text) => {
      for (const name of readdirSync(directory)) rmSync(join(directory, name));
      writeFileSync(join(directory, "f"), "a\nb\n: > out\n");
      const { exitCode } = Bun.spawnSync(["sed", "-n", text, "f"], {
        cwd: directory,
        env: { PATH: process.env.PATH },
        stdin: "ignore",
        timeout: 5_000,
      });
      const made = readdirSync(directory).filter((name) => name !== "f");
      if (made.length === 0) return;
      acted++;
      // As if every file that sed can write were one of the shell's.
      const seen = made.map((name) => {
        const places = {
          ...HERE,
          real: (path: string) => path.replace(join(HERE.cwd, name), "/home/ada/.bashrc"),
        };
        const { denied, caution } = judgeCommand(`sed -n '${text.replaceAll("'", "")}' f`, places);
        return denied ?? caution;
      });
      expect([text, exitCode, seen.filter((why) => why === null)]).toEqual([text, exitCode, []]);
    });
    fc.assert(check, { numRuns: 600 });
  });
  expect(acted).toBeGreaterThan(20);
});

test("APPROVE-9: a forbidden program that other programs would run is denied or asked about", () => {
  const words =
    "env -i -u x -S -- xargs -n1 -I% % timeout 5 nohup nice setsid time command exec eval bash sh -c -o errexit".split(
      " ",
    );
  const piece = fc.constantFrom(
    ...words,
    ..."gosu gosu 'gosu' 'gosu\\_ls' -S'gosu' -S'gosu\\_ls' gos u A=1 cat grep echo {} \\; + | && ; & ! -x".split(
      " ",
    ),
    ...[
      "'gosu ls'",
      '"gosu ls"',
      "-S'gosu ls'",
      "'sh -c gosu'",
      "echo gosu |",
      "{ :;",
      "; }",
      "(:;",
      ")",
      "python3",
      "find . -exec",
      "function f {",
      "; }; f",
    ],
    ...[
      "awk 'BEGIN{system(\"gosu\")}'",
      "git -c alias.x='!gosu' x",
      "sed '1e gosu' f",
      "<<< gosu",
      "PAGER=gosu",
      "{gosu,ls}",
    ],
    ...[
      "'f() { gosu; }; f'",
      "trap gosu EXIT",
      "<<E\ngosu\nE\n",
      ". /dev/stdin",
      "x=gosu;",
      "$x",
      '"$x"',
      "xargs -a f",
      "perl -e 'exec gosu'",
    ],
  );
  const line = fc.array(piece, { minLength: 2, maxLength: 7 }).map((pieces) => pieces.join(" "));
  const shells = ["/bin/sh", "/bin/bash"].filter((shell) => existsSync(shell));
  inDirectory((directory) => {
    const bin = join(directory, "bin");
    const trace = join(directory, "ran");
    mkdirSync(bin);
    // With an option that it has only where it is run as a program, not read as a script.
    writeFileSync(join(bin, "gosu"), `#!/bin/sh -f\ncase $- in *f*) : > '${trace}' ;; esac\n`);
    chmodSync(join(bin, "gosu"), 0o755);
    writeFileSync(join(directory, "f"), "gosu\n");
    const runs = (shell: string, command: string) => {
      rmSync(trace, { force: true });
      const env = { PATH: `${bin}:${process.env.PATH}`, HOME: directory };
      Bun.spawnSync([shell, "-c", command], { cwd: directory, env, stdin: "ignore", timeout: 5_000 });
      return existsSync(trace);
    };
    const check = fc.property(line, (command) => {
      if (!/gos|f|%|\$x/.test(command) || judged(command)[1] !== "allow") return;
      for (const shell of shells)
        expect([command, shell, runs(shell, command)]).toEqual([command, shell, false]);
    });
    fc.assert(check, { numRuns: 1_500 });
    expect(shells.map((shell) => runs(shell, "env A=1 gosu"))).toEqual(shells.map(() => true));
  });
});

test("APPROVE-10: of Retain's own commands, those that take out of memory or back are never run", () => {
  for (const command of RETAIN_NEVER) expect(judged(command)).toEqual([command, "never", null]);
});

test("APPROVE-10: of Retain's own commands, those that read are free, and all others are asked about", () => {
  for (const command of RETAIN_ASKED) expect(judged(command)).toEqual([command, "ask", null]);
  for (const command of RETAIN_FREE) expect(judged(command).slice(0, 2)).toEqual([command, "allow"]);
  const free = COMMANDS.map(({ name }) => name).filter((name) => judged(`retain ${name}`)[1] === "allow");
  expect(free.sort().join(" ")).toBe(
    "collections completion config context demo diff doctor facts get index list model notes recall reflect search " +
      "sessions skills versions where why",
  );
});

test("APPROVE-10: a memory is not deleted as a whole, and what is in it not unasked", async () => {
  const place = new Place();
  const project = join(place.cwd, ".retain");
  mkdirSync(project);
  const own = new Place({ cwd: place.cwd, homeDirectory: place.home, roots: [place.memory, project] });
  for (const command of [
    "rm -rf .retain",
    "rm -rf ./.retain/*",
    "mv .retain x",
    "find .retain -delete",
    "rm -r {a,.retain}",
  ])
    expect([command, await verdictIn(own, command)]).toEqual([command, "refuse"]);
  for (const command of [
    "rm .retain/a.md",
    "mv .retain/a.md x",
    "find . -name '*.md' -delete",
    "find .retain -name a.md -delete",
  ])
    expect([command, await verdictIn(own, command)]).toEqual([command, "ask"]);
  expect(await verdictIn(own, "find . -name '*.pyc' -delete")).toBe("allow");
});

test("APPROVE-11: everyday commands are run without a question where all tools are allowed", async () => {
  const place = new Place();
  for (const command of EVERYDAY) {
    expect(judged(command).slice(0, 2)).toEqual([command, "allow"]);
    expect([command, await verdictIn(place, command)]).toEqual([command, "allow"]);
  }
});

test("APPROVE-11: a long command is judged, however odd it is", () => {
  const parts = [
    "env ",
    "env 'a b' ",
    "{a,",
    "{1..200} ",
    "! ",
    "\\( ",
    "${",
    "$(",
    "`",
    "[",
    "s/[",
    "-t a ",
    "'a b' ",
    "find . ",
    "x=",
    "~/",
  ];
  for (const first of ["rm ", "find . ", "cp ", "sed ", "env ", "git config ", "export ", "awk ", ""])
    for (const part of parts) {
      const command = first + part.repeat(Math.floor(4_000 / part.length));
      expect(typeof judgeCommand(command, HERE).outside).toBe("boolean");
    }
});

test("TOOL-14: braces become the words that bash makes of them", () => {
  if (!existsSync("/bin/bash")) return;
  const text = fc.array(fc.constantFrom(..."{},ab./".split(""), "{a,b}", "1..3", "c..a", "{1..3}", "}"), {
    maxLength: 9,
  });
  let several = 0;
  fc.assert(
    fc.property(
      text.map((pieces) => `x${pieces.join("")}`),
      (word) => {
        const { stdout } = Bun.spawnSync(["/bin/bash", "-c", `printf '%s\\n' ${word}`], { env: {} });
        const words = withoutBraces([{ text: word, expands: false, globs: true, tilde: false }]);
        if (words === null) return;
        const made = new Set(words.map((one) => one.text));
        const wanted = stdout.toString().trimEnd().split("\n");
        if (wanted.length > 1) several++;
        expect([word, wanted.filter((one) => !made.has(one))]).toEqual([word, []]);
      },
    ),
    { numRuns: 400 },
  );
  expect(several).toBeGreaterThan(50);
});

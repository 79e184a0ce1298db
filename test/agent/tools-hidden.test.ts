/** Whether a forbidden program can be hidden from the judge: a real shell is asked what it would run. */
import { expect, test } from "bun:test";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { judgeCommand } from "../../src/agent/tools/command-judge.ts";
import { HERE } from "./tools-commands.ts";

const SHELLS = ["/bin/sh", "/bin/bash"].filter((shell) => existsSync(shell));

function isSeen(command: string): boolean {
  const { denied, caution } = judgeCommand(command, HERE);
  return denied !== null || caution !== null;
}

/** With no program to be found and `sudo` a function that leaves a file. */
function runsSudo(shell: string, command: string, directory: string): boolean {
  const trace = join(directory, "ran");
  rmSync(trace, { force: true });
  Bun.spawnSync([shell, "-c", `sudo() { : > ran; }\nx=sudo\n${command}`], {
    cwd: directory,
    env: { PATH: "" },
    stdin: "ignore",
    timeout: 2_000,
  });
  return existsSync(trace);
}

const PIECES = [
  ..."'\"\\`$#;|&(){}!~*=\n\t-".split(""),
  ...[
    "sudo",
    "sudo",
    "su",
    "do",
    "''",
    '""',
    " ",
    " ",
    " ",
    "\\\n",
    "$(",
    "${",
    "${x:-",
    "$((",
    "))",
    "<(",
    "$'",
    '$"',
    "$x",
    "a",
  ],
  ...[
    "<<E\n",
    "<<'E'\n",
    "<<-E\n",
    "\nE\n",
    "<<<",
    ">f ",
    "2>&1",
    "&&",
    "||",
    ";;",
    "{ ",
    "; }",
    "x=",
    "X=1 ",
    "f()",
    "[",
    "]",
  ],
  ...[
    "if :; then ",
    "; fi",
    "for i in a; do ",
    "; done",
    "case a in a) ",
    ";; esac",
    "eval ",
    "command ",
    "exec ",
    ": ",
    "time ",
  ],
];

test("APPROVE-9: what sh or bash would run of a forbidden program is denied or asked about, however odd the text", () => {
  const directory = mkdtempSync(join(tmpdir(), "retain-hidden-"));
  try {
    const soup = fc
      .array(fc.constantFrom(...PIECES), { minLength: 2, maxLength: 14 })
      .map((pieces) => pieces.join(""));
    const check = fc.property(soup, (command) => {
      if (!/su|x/.test(command) || isSeen(command)) return;
      for (const shell of SHELLS)
        expect([command, shell, runsSudo(shell, command, directory)]).toEqual([command, shell, false]);
    });
    fc.assert(check, { numRuns: 1_000 });
    expect(SHELLS.map((shell) => runsSudo(shell, "$x", directory))).toEqual(SHELLS.map(() => true));
  } finally {
    rmSync(directory, { recursive: true });
  }
});

test("APPROVE-9: a forbidden program is seen inside every kind of command and among every kind of quote", () => {
  const words = fc.constantFrom(
    ...[
      "a",
      "'it'\\''s'",
      '"a\'b"',
      '"a\\"b"',
      "'a\"b'",
      "\\'",
      '\\"',
      "$x",
      "$((1+2))",
      "a#b",
      "'#'",
      "\\#",
      "{a,b}",
      "~",
      "*",
    ],
    ...[
      "`:`",
      "$(:)",
      '"$(: "a")"',
      '"a\nb"',
      "a\\\nb",
      "<f",
      "2>&1",
      ">/dev/null",
      "$#",
      '"\\\\"',
      "'\\'",
      "\\\\",
      "a=b",
    ],
  );
  const quiet = fc.array(words, { maxLength: 4 }).map((list) => `: ${list.join(" ")}`);
  const forms = [
    ...[
      "sudo",
      "'sudo'",
      '"sudo"',
      "s\\udo",
      "su''do",
      "su\\\ndo",
      "\\\nsudo",
      "X='a b' sudo",
      "command sudo",
      "! sudo",
      "{ sudo; }",
    ],
    ...[
      "(sudo)",
      "eval sudo",
      "eval 's'udo a",
      "time sudo",
      "2>&1 sudo",
      ">f sudo",
      "command -p sudo",
      "exec 3>&1; sudo",
      "sudo>f",
    ],
  ];
  const around: ((quiet: string, inner: string) => string)[] = [
    (p, s) => `${p}; ${s}`,
    (p, s) => `${p} && ${s}`,
    (p, s) => `${p}\n${s}`,
    (p, s) => `${p} | ${s}`,
    (p, s) => `${p} $(${s})`,
    (p, s) => `${p} "$(${s})"`,
    (p, s) => `${p} \`${s.replace(/[\\`$]/g, "\\$&")}\``,
    (p, s) => `if ${p}; then ${s}; fi`,
    (p, s) => `(${p}; ${s})`,
    (_, s) => `for i in a "b c"; do ${s}; done`,
    (_, s) => `: <<E\nit's "odd\nE\n${s}`,
    (_, s) => `: <<'E'\n$( \` "\nE\n${s}`,
    (p, s) => `${p} # it's\n${s}`,
    (_, s) => `f() { ${s}; }; f`,
    (_, s) => `case a in a) ${s};; esac`,
    (_, s) => `: "$(case a in a) ${s};; esac)"`,
    (_, s) => `: "$\{u:-$(${s})}"`,
    (p, s) => `${p} <(${s})`,
    (_, s) => `: <<E\n$(${s})\nE`,
    (_, s) => `y=$(${s})`,
    (_, s) => `: $(( $(${s}; echo 1) + 1 ))`,
  ];
  const layers = fc.array(fc.tuple(quiet, fc.constantFrom(...around)), { maxLength: 4 });
  const hidden = fc
    .tuple(fc.constantFrom(...forms), layers)
    .map(([form, list]) => list.reduce((inner, [p, wrap]) => wrap(p, inner), form));
  fc.assert(
    fc.property(hidden, (command) => expect([command, isSeen(command)]).toEqual([command, true])),
    { numRuns: 1_000 },
  );
});

/**
 * What "for this session" would allow of a command. Only a command that is one program with plain words has such a pattern,
 * and then as little as is of use: a program that only shows things, or a subcommand of which it is known what it does. Of all
 * others the very same words, since a word more may be another thing to do: `make check publish`, `sqlite3 db '.shell …'`.
 */
import { basename } from "node:path";
import { shellWord } from "../../util/text.ts";
import type { CommandJudgement } from "./command-judge.ts";
import { isInterpreter } from "./programs.ts";
import { isPlain } from "./visible.ts";

/** They only show things, whatever their options. */
const SHOWING = words(
  "ls cat head tail wc nl cut tr pwd echo printf basename dirname realpath readlink which whoami id uname cmp diff du df " +
    "stat grep egrep fgrep md5sum sha1sum sha256sum seq",
);

/** Of these programs, only these subcommands have a pattern. The others publish, install, fetch, delete or set up. */
const SUBCOMMANDS = new Map(
  Object.entries({
    git: words("status diff log show blame shortlog describe rev-parse ls-files ls-tree add commit"),
    npm: words("test run run-script ls outdated"),
    pnpm: words("test run ls outdated"),
    yarn: words("test run"),
    bun: words("test run"),
    deno: words("test lint check fmt"),
    cargo: words("build test check clippy fmt bench doc tree"),
    go: words("build test vet fmt list"),
  }),
);

/** Subcommands that name something to run, which belongs to the pattern. */
const RUNNING = words("run run-script");

/**
 * Options, also shortened, by which a command that only shows things, or a subcommand, would run or write something else, or
 * take what it runs from elsewhere.
 */
const TELLING = new RegExp(
  "^(?:-O|--?(?:exec|toolexec|vettool|ldflags|gccgoflags|overlay|modfile)|--(?:op|ou|ex|textc|eval|config|userc|globalc|" +
    "script|node|prefix|dir=|cwd|manifest-path|use-yarnrc))",
);

/** Code that is fetched to be run, as `deno test` does. */
const REMOTE = /^(?:npm|jsr|data):|:\/\//;

/** Asked about each time: they delete, publish, install, reach other machines, or run what their words say. */
const EACH_TIME = words(
  "rm rmdir unlink shred truncate dd kill pkill killall curl wget nc ncat telnet ftp ssh scp sftp rsync docker podman " +
    "kubectl helm terraform aws gcloud az gh glab systemctl service launchctl crontab at retain " +
    "npx bunx pnpx uvx pipx pip pip3 uv poetry gem brew apt apt-get dnf yum pacman apk snap conda mamba nix " +
    "eval exec source . alias trap env command builtin nohup time nice timeout stdbuf setsid xargs parallel watch script " +
    "busybox toybox entr flock chroot chmod chown chgrp mount umount cd pushd popd export set unset",
);

/** In words a person reads; null where each call is asked about. Two commands are alike where their patterns are equal. */
export function patternOf({ reading, denied, caution, outside }: CommandJudgement): string | null {
  const [command] = reading.commands;
  if (!reading.simple || command === undefined) return null;
  if (denied !== null || caution !== null || outside) return null;
  if (command.words.some(({ expands, globs, tilde, text }) => expands || globs || tilde || !isReadable(text)))
    return null;
  const [program = "", ...args] = command.words.map(({ text }) => text);
  return patternOfWords(program, args);
}

function patternOfWords(program: string, args: readonly string[]): string | null {
  const [first = "", second = ""] = args;
  const name = basename(program).toLowerCase();
  if (EACH_TIME.has(name) || !/^[\w.+/-]+$/.test(program)) return null;
  if (args.some((word) => TELLING.test(word))) return null;
  const known = SUBCOMMANDS.get(name);
  if (known !== undefined) {
    if (!known.has(first) || program !== name || args.some((word) => REMOTE.test(word))) return null;
    if (!RUNNING.has(first)) return `run ${name} ${first}…`;
    return isSubcommand(second) ? `run ${name} ${first} ${second}…` : null;
  }
  if (SHOWING.has(program)) return `run ${program}…`;
  if (isInterpreter(name) && (first === "" || first.startsWith("-"))) return null;
  return `run exactly ${[program, ...args].map(shellWord).join(" ")}`;
}

function isSubcommand(word: string): boolean {
  return /^[a-z][\w:-]*$/i.test(word);
}

/** What a person sees is what it is; and it cannot be taken for a pattern that covers more. */
function isReadable(text: string): boolean {
  return isPlain(text) && !text.includes("…") && !/[^\S ]/.test(text);
}

function words(list: string): ReadonlySet<string> {
  return new Set(list.split(" "));
}

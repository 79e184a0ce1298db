/**
 * The part of a shell command worth remembering. A program matters unless it only reads, such as `ls`, `grep` or `git status`. Its
 * first plain words are kept ("npm run build"), and the files it writes by redirection. Everything from the first option or quoted
 * text on may be data or a secret, and is left out. The exception is a commit's subject, which says best what was done.
 */
import { basename } from "node:path";
import { PLAIN_PROGRAMS } from "../tools/plain-command.ts";

interface Word {
  readonly text: string;
  /** It is quoted or contains a substitution, so it may be data. */
  readonly isData: boolean;
}

interface Segment {
  readonly words: Word[];
  /** The files it writes by redirection. */
  readonly writes: string[];
}

const words = (list: string) => list.split(" ");

const READING: ReadonlySet<string> = new Set([
  ...PLAIN_PROGRAMS,
  ...words(
    "ag awk base64 basename bat cd cmp column comm date df diff dirname du echo exit export false fd file",
  ),
  ...words(
    "fold gawk groups hash help hexdump history hostname id jobs jq join less local locale lsof man md5sum more nl",
  ),
  ...words(
    "nproc od popd printenv printf ps pushd read readlink realpath retain return rg rev seq set sha1sum sha256sum",
  ),
  ...words(
    "shift sleep source stat strings sum tac test top tr tree true type ulimit uname unset uptime wait watch",
  ),
  ...words("whatis whereis which who whoami xxd yes yq zcat [ [[ . :"),
]);
const READING_GIT: ReadonlySet<string> = new Set(
  words(
    "add blame branch cat-file config describe diff for-each-ref fetch grep help log ls-files ls-remote ls-tree",
  ).concat(
    words(
      "merge-base name-rev reflog remote rev-list rev-parse shortlog show status symbolic-ref version whatchanged",
    ),
  ),
);
/** Options that make a reading program write. */
const WRITING_OPTIONS: Readonly<Record<string, RegExp>> = {
  find: /^-(?:delete|exec|execdir|ok)$/,
  sed: /^(?:-[a-zA-Z]*i|--in-place)/,
};
const MOST_WORDS = 3;
/** In characters; a longer command is mostly data. */
const LONGEST_COMMAND = 4_000;
/** Words before a program's name. */
const PREFIX = /^(?:[A-Za-z_]\w*=.*|sudo|nohup|exec|env|time|command|do|then|else|!|\{|\()$/s;
const SYNTAX: ReadonlySet<string> = new Set(
  words("for while until if elif case select function done fi esac }"),
);

interface ShellActivity {
  /** In order, each as one short line. */
  readonly commands: string[];
  /** The files that it removed, as typed. */
  readonly removed: string[];
}

export function shellActivity(command: string): ShellActivity {
  const activity: ShellActivity = { commands: [], removed: [] };
  let isMoved = false;
  for (const { words: all, writes } of segmentsOf(command.slice(0, LONGEST_COMMAND))) {
    const rest = all.slice(all.findIndex(({ text }) => !PREFIX.test(text)));
    const [program, ...given] = rest;
    if (program === undefined || PREFIX.test(program.text) || SYNTAX.has(program.text)) continue;
    const name = basename(program.text);
    isMoved ||= name === "cd" || name === "pushd";
    const targets = writes.map((file) => `> ${file}`);
    const removed = isMoved ? null : removedBy(name, given);
    if (removed !== null) activity.removed.push(...removed);
    else if (targets.length > 0 || !onlyReads(name, given))
      activity.commands.push([name, ...shown(name, given), ...targets].join(" "));
  }
  return activity;
}

/** The files that `rm` or `git rm` removes; null for another program, and for names that the shell or git expands. */
function removedBy(name: string, given: readonly Word[]): string[] | null {
  const files = name === "git" && given[0]?.text === "rm" ? given.slice(1) : name === "rm" ? given : [];
  const named = files.filter(({ text }) => !text.startsWith("-"));
  if (named.length === 0 || named.some(({ text, isData }) => isData || /[*?[{~]/.test(text))) return null;
  return files.some(({ text }) => text === "--cached") ? null : named.map(({ text }) => text);
}

function onlyReads(name: string, given: readonly Word[]): boolean {
  // An option such as `-C` may come with a path before the verb.
  const isVerb = ({ text }: Word, at: number) =>
    /^[a-z]/.test(text) && !/^-[cC]$/.test(given[at - 1]?.text ?? "");
  if (name === "git") return READING_GIT.has(given.find(isVerb)?.text ?? "");
  if (name === "sed" || READING.has(name))
    return !given.some(({ text }) => WRITING_OPTIONS[name]?.test(text));
  return given.some(({ text }) => text === "--version" || text === "--help");
}

function shown(name: string, given: readonly Word[]): string[] {
  if (name === "git" && given.some(({ text }) => text === "commit")) {
    const at = given.findIndex(({ text }) => /^(?:-[a-z]*m|--message)$/.test(text));
    const subject = at < 0 ? "" : subjectOf(given[at + 1]?.text ?? "");
    return subject === "" ? ["commit"] : ["commit", `"${subject}"`];
  }
  // What a reading program writes is data: `echo text > file`.
  if (READING.has(name)) return [];
  const end = given.findIndex(({ text, isData }) => isData || text.startsWith("-"));
  return given.slice(0, end < 0 ? MOST_WORDS : Math.min(end, MOST_WORDS)).map(({ text }) => text);
}

/** The first line of a commit's message. */
function subjectOf(message: string): string {
  return /\S.*/.exec(message)?.[0].trim() ?? "";
}

/** `"$(cat <<'EOF' ...)"`, as agents write a long commit message: it becomes its first line. */
const QUOTED_DOCUMENT = /"\$\(cat <<-?\s*['"]?(\w+)['"]?\n\s*([^\n]*)[\s\S]*?\n\s*\1\s*\)"/g;
/** Any other here-document loses its body. */
const DOCUMENT = /(<<-?\s*(['"]?)(\w+)\2[^\n]*)\n(?:[\s\S]*?\n)?\s*\3(?=\s|$)/g;
const SUBSTITUTION = String.raw`\$\((?:[^()]|\([^()]*\))*\)|\x60[^\x60]*\x60`;
const PIECE = String.raw`'[^']*'|"(?:\\.|${SUBSTITUTION}|[^"\\])*"|${SUBSTITUTION}|\\.|[^\s;&|<>'"\x60\\]`;
const TOKEN = new RegExp(String.raw`\d*&?[<>]+&?-?|\|\|?|&&?|[;\n]|(?:${PIECE})+`, "gs");

/** A rough split at the shell's operators. */
function segmentsOf(command: string): Segment[] {
  const segments: Segment[] = [{ words: [], writes: [] }];
  let redirection: string | null = null;
  const plain = command
    .replaceAll(QUOTED_DOCUMENT, (_, _end, line: string) => JSON.stringify(line.replaceAll('"', "'")))
    .replaceAll(DOCUMENT, "$1");
  for (const [token] of plain.matchAll(TOKEN)) {
    if (/^[|&;\n]+$/.test(token)) segments.push({ words: [], writes: [] });
    else if (/[<>]/.test(token) && /^\d*&?[<>]+&?-?$/.test(token)) redirection = token;
    else {
      const word = { text: unquoted(token), isData: /['"`$]/.test(token) };
      if (redirection === null) segments.at(-1)?.words.push(word);
      else if (/>$/.test(redirection) && !word.isData && !word.text.startsWith("/dev/"))
        segments.at(-1)?.writes.push(word.text);
      redirection = null;
    }
  }
  return segments;
}

function unquoted(token: string): string {
  return token.replaceAll(
    /'([^']*)'|"((?:\\.|[^"\\])*)"/gs,
    (_, single = "", double = "") => single || double,
  );
}

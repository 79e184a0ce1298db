/** What programs are, by name, where it matters for judging a command: shells, languages, readers, those that run others. */

function words(list: string): ReadonlySet<string> {
  return new Set(list.split(" "));
}

export const SHELLS = words(
  "sh bash dash zsh ksh mksh oksh ash yash posh rbash fish csh tcsh nu elvish xonsh",
);
const LANGUAGES =
  /^(?:python[\d.]*|pypy3?|node|nodejs|perl[\d.]*|ruby|php|lua|bun|deno|osascript|pwsh|tclsh)$/;
export const AWKS = words("awk gawk mawk nawk");
export const SEDS = words("sed gsed ssed");
export const EDITORS = words("vi vim nvim view ex ed emacs nano");
export const DATABASES = words("sqlite3 psql mysql mariadb duckdb");
export const FETCHERS = words("curl wget aria2c http https fetch");

/** They delete what they are given. */
export const REMOVERS = words("rm rmdir unlink shred srm wipe rimraf del-cli trash trash-put");

/** They only read the files they are given, so that naming a file that may not be written is no harm. */
export const READERS = words(
  "cat less more head tail grep egrep fgrep rg ls stat wc file diff cmp du tree nl cut uniq echo printf test [ [[ cd pwd " +
    "readlink realpath basename dirname md5sum sha1sum sha256sum od xxd hexdump strings jq bat type which for",
);

/** They run what their words name; how many of the words are their own is not looked into. */
const WRAPPERS = words(
  "env command builtin exec nohup time nice ionice chrt taskset timeout gtimeout stdbuf setsid xargs parallel sem watch script " +
    "busybox toybox coproc unbuffer strace ltrace entr flock chroot unshare npx bunx pnpx uvx find fd fdfind ssh trap " +
    "tmux screen dtach abduco zellij fakeroot fakechroot proot bwrap firejail nsenter setpriv capsh runcon prlimit choom " +
    "numactl cpulimit cgexec setarch linux32 linux64 eatmydata faketime rlwrap expect xvfb-run dbus-run-session dbus-launch " +
    "systemd-run systemd-inhibit start-stop-daemon daemonize valgrind perf gdb rr catchsegv tini dumb-init torsocks torify " +
    "proxychains proxychains4 caffeinate nix-shell run-parts",
);

/** Of these, the first word that is no option is the program. */
export const PLAIN_WRAPPERS = words(
  "xargs env find time nohup nice timeout gtimeout stdbuf command exec setsid",
);

/** They run what their words name too, by a subcommand. */
const RUNNERS =
  /^(?:(?:npm|pnpm|yarn) (?:exec|dlx|x)|bun x|bundle exec|(?:direnv|mise|asdf|rbenv|pyenv) exec)$|^(?:uv|poetry|pipenv|pdm|hatch|rye|conda|mamba|micromamba|doppler|op|dotenv) run$/;

/** They give each line of their input, or each file that they find, to another program as its words. */
export const FEEDERS = words("xargs parallel sem fd fdfind");

export function isLanguage(program: string): boolean {
  return LANGUAGES.test(program);
}

/** Whether it is a program that runs other programs' code: a pattern of it would cover anything. */
export function isInterpreter(program: string): boolean {
  return SHELLS.has(program) || isLanguage(program);
}

export function isWrapper(program: string, first = ""): boolean {
  return WRAPPERS.has(program) || RUNNERS.test(`${program} ${first}`);
}

/** They start a script, of a package or a file, that is named by a later word. */
export function isLauncher(program: string): boolean {
  return isInterpreter(program) || /^(?:npm|pnpm|yarn)$/.test(program);
}

/**
 * Files that are always blocked, and files that always need approval. The lists are short on purpose: files with the user's keys, and
 * files that a shell, git or Retain would run unnoticed at its next start.
 */
import { basename, dirname, join, relative } from "node:path";
import { isWithin, type Roots } from "./roots.ts";

/** Keys and passwords, in any directory. Never read, never written. */
const KEYS: readonly RegExp[] = [
  /\/\.ssh\/(?!config$|known_hosts|authorized_keys|[^/]*\.pub$)./,
  /\/\.aws\/(?:credentials|sso\/cache|cli\/cache)/,
  /\/\.gnupg\//,
  /\/\.(?:netrc|git-credentials|pgpass)$/,
  /\/\.config\/(?:gh\/hosts\.yml|gcloud\/|git\/credentials)/,
  /\/\.docker\/config\.json$/,
  /\/\.kube\/config$/,
  /\/\.retain\/(?:keys\.yaml|server-token)$/,
  /^\/etc\/g?shadow/,
  /^\/proc\/[^/]+\/(?:task\/[^/]+\/)?(?:environ|mem)$/,
];

/** Files below the home directory that run automatically later. */
const STARTS_AT_HOME: readonly RegExp[] = [
  /^\.(?:bash(?:rc|_profile|_login|_logout|_aliases)|profile|login|inputrc|[ckz]shrc|tcshrc)$/,
  /^\.z(?:shenv|profile|login|logout)$/,
  /^\.x(?:profile|initrc|sessionrc|session)$|^\.pam_environment$/,
  /^\.gitconfig$|^\.config\/git\//,
  /^\.config\/(?:fish|autostart|systemd|environment\.d)\//,
  /^library\/launchagents\//,
];

/** Files anywhere that run automatically later. */
const STARTS_ANYWHERE: readonly RegExp[] = [/\/\.ssh\//, /^\/etc\/(?:sudoers|cron|profile|passwd|ld\.so)/];

/** Devices and kernel files, except devices that any program may write to. */
const SYSTEM = /^\/(?:dev|proc|sys|boot)\/(?!null$|stdout$|stderr$|stdin$|tty$|zero$|fd\/|shm\/)./;

/** Retain's settings and index. */
const RETAIN = /\/\.retain\/(?:config|trusted-skills)\.yaml$|\/retain\.db(?:-\w+)?$/;
const KEY_FILES = ["keys.yaml", "server-token"];
const OWN_FILES = ["config.yaml", "trusted-skills.yaml"];

/** Each read of these inside a project needs approval. */
const SECRETS: readonly RegExp[] = [
  /^\.env(?:rc|\.(?!example$|sample$|template$|dist$|defaults$).*)?$/,
  /\.(?:pem|key|p12|pfx|jks|keystore|kdbx|ppk)$/,
  /^id_(?:rsa|dsa|ecdsa|ed25519)/,
  /^(?:\.npmrc|\.pypirc|\.htpasswd|credentials(?:\.\w+)?|secrets?\.(?:ya?ml|json|toml)|service-account.*\.json)$/,
];

const KEYS_OR_PASSWORDS = "a file with keys or passwords";

/** Why this file may never be read; null if it may. Ignores case, since some file systems do. */
export function deniedReading(path: string, { workspaces }: Roots): string | null {
  const lower = path.toLowerCase();
  const isKey =
    KEYS.some((pattern) => pattern.test(lower)) ||
    workspaces.some((root) => KEY_FILES.includes(relative(root, path).toLowerCase()));
  return isKey ? `opens ${KEYS_OR_PASSWORDS}` : null;
}

/** Why this file may never be written; null if it may. */
export function deniedWriting(path: string, roots: Roots): string | null {
  const what = protectedFile(path, roots);
  return what === null ? null : `changes ${what}`;
}

/** What kind of file only the user may change; null for other files. */
export function protectedFile(path: string, roots: Roots): string | null {
  const lower = path.toLowerCase();
  const fromHome = relative(roots.home, path).toLowerCase();
  const isOwn = roots.workspaces.some((root) => OWN_FILES.includes(relative(root, path).toLowerCase()));
  if (deniedReading(path, roots) !== null) return KEYS_OR_PASSWORDS;
  if (isOwn || RETAIN.test(lower)) return "Retain's settings or index";
  if (SYSTEM.test(lower)) return "a device or a system file";
  const isStart =
    STARTS_ANYWHERE.some((pattern) => pattern.test(lower)) ||
    STARTS_AT_HOME.some((pattern) => pattern.test(fromHome)) ||
    isInGit(path, roots);
  return isStart ? "a file that runs automatically later" : null;
}

/** Why each read needs approval, even inside the working directory; null if it doesn't. */
export function cautionReading(path: string, roots: Roots): string | null {
  if (isSecretByName(path)) return "It may contain secrets.";
  return isInGit(path, roots) ? "It is git's own data, which can contain passwords of remotes." : null;
}

function isSecretByName(path: string): boolean {
  const name = basename(path).toLowerCase();
  return SECRETS.some((pattern) => pattern.test(name));
}

/** Whether all entries of a readable directory may be read without approval, judged by their names. */
export function mayBeSearched(directory: string, names: readonly string[], roots: Roots): boolean {
  if (isGitDirectory((name) => names.includes(name))) return false;
  return names
    .map((name) => join(directory, name))
    .every((path) => deniedReading(path, roots) === null && !isSecretByName(path) && !GIT_BY_NAME.test(path));
}

/** Whether it is, or is inside, a git directory, whatever its name: bare repositories and separate git directories count. */
export function isInGit(path: string, roots: Roots): boolean {
  if (GIT_BY_NAME.test(path) || isGitDirectory((name) => roots.isThere(join(path, name)))) return true;
  return dirname(path) !== path && isInGit(dirname(path), roots);
}

const GIT_BY_NAME = /\/\.git(?:\/|$)/i;

function isGitDirectory(holds: (name: string) => boolean): boolean {
  return ["HEAD", "objects", "refs"].every(holds);
}

/** Why each write needs approval; null if it doesn't. */
export function cautionWriting(path: string, { workspaces }: Roots): string | null {
  const isMemory = workspaces.some((root) => isWithin(root, path));
  return isMemory ? "It is part of the memory that models see." : null;
}

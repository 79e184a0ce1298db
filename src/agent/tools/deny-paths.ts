/**
 * Files that no approval opens, and those that are asked about each time. The lists are short on purpose: what gives others
 * the user's keys, and what would run, unseen, the next time that a shell, git or Retain starts.
 */
import { basename, dirname, join, relative } from "node:path";
import { isWithin, type Roots } from "./places.ts";

/** Keys and passwords, wherever their directory is. Never read, never written. */
const KEYS: readonly RegExp[] = [
  /\/\.ssh\/(?!config$|known_hosts|authorized_keys|[^/]*\.pub$)./,
  /\/\.aws\/(?:credentials|sso\/cache|cli\/cache)/,
  /\/\.gnupg\//,
  /\/\.(?:netrc|git-credentials|pgpass)$/,
  /\/\.config\/(?:gh\/hosts\.yml|gcloud\/|git\/credentials)/,
  /\/\.docker\/config\.json$/,
  /\/\.kube\/config$/,
  /\/\.retain\/(?:keys\.yaml|mcp-token)$/,
  /^\/etc\/g?shadow/,
  /^\/proc\/[^/]+\/(?:task\/[^/]+\/)?(?:environ|mem)$/,
];

/** What runs by itself later, below the user's home directory. */
const STARTS_AT_HOME: readonly RegExp[] = [
  /^\.(?:bash(?:rc|_profile|_login|_logout|_aliases)|profile|login|inputrc|[ckz]shrc|tcshrc)$/,
  /^\.z(?:shenv|profile|login|logout)$/,
  /^\.x(?:profile|initrc|sessionrc|session)$|^\.pam_environment$/,
  /^\.gitconfig$|^\.config\/git\//,
  /^\.config\/(?:fish|autostart|systemd|environment\.d)\//,
  /^library\/launchagents\//,
];

/** What runs by itself later, anywhere. */
const STARTS_ANYWHERE: readonly RegExp[] = [/\/\.ssh\//, /^\/etc\/(?:sudoers|cron|profile|passwd|ld\.so)/];

/** Devices and the kernel's own, except those that everybody writes to. */
const SYSTEM = /^\/(?:dev|proc|sys|boot)\/(?!null$|stdout$|stderr$|stdin$|tty$|zero$|fd\/|shm\/)./;

/** What Retain itself goes by. */
const RETAIN = /\/\.retain\/(?:config|trusted-skills)\.yaml$|\/retain\.db(?:-\w+)?$/;
const KEY_FILES = ["keys.yaml", "mcp-token"];
const OWN_FILES = ["config.yaml", "trusted-skills.yaml"];

/** Inside a project these may be read once a person has said so, each time. */
const SECRETS: readonly RegExp[] = [
  /^\.env(?:rc|\.(?!example$|sample$|template$|dist$|defaults$).*)?$/,
  /\.(?:pem|key|p12|pfx|jks|keystore|kdbx|ppk)$/,
  /^id_(?:rsa|dsa|ecdsa|ed25519)/,
  /^(?:\.npmrc|\.pypirc|\.htpasswd|credentials(?:\.\w+)?|secrets?\.(?:ya?ml|json|toml)|service-account.*\.json)$/,
];

/** Why this file is never read; null where it may be. Case does not matter, as on some disks it does not. */
export function deniedReading(path: string, { workspaces }: Roots): string | null {
  const lower = path.toLowerCase();
  const isKey =
    KEYS.some((pattern) => pattern.test(lower)) ||
    workspaces.some((root) => KEY_FILES.includes(relative(root, path).toLowerCase()));
  return isKey ? "Files of keys and passwords are given to no model." : null;
}

/** Why this file is never written; null where it may be. */
export function deniedWriting(path: string, places: Roots): string | null {
  const lower = path.toLowerCase();
  const fromHome = relative(places.home, path).toLowerCase();
  const isOwn = places.workspaces.some((root) => OWN_FILES.includes(relative(root, path).toLowerCase()));
  if (deniedReading(path, places) !== null) return "Keys and passwords are the person's own to change.";
  if (isOwn || RETAIN.test(lower)) return "Retain's own settings and index are the person's to change.";
  if (SYSTEM.test(lower)) return "It is a device, or the system's own.";
  const isStart =
    STARTS_ANYWHERE.some((pattern) => pattern.test(lower)) ||
    STARTS_AT_HOME.some((pattern) => pattern.test(fromHome)) ||
    isInGit(path, places);
  return isStart ? "What is in that file acts by itself later, so it is the person's own to change." : null;
}

/** Why reading it is asked about each time, also inside the working directory; null where it is not. */
export function cautionReading(path: string, places: Roots): string | null {
  if (isSecretByName(path)) return "It may hold secrets.";
  return isInGit(path, places) ? "It is git's own, and can hold passwords of remotes." : null;
}

function isSecretByName(path: string): boolean {
  const name = basename(path).toLowerCase();
  return SECRETS.some((pattern) => pattern.test(name));
}

/** The same for a directory's entries by their names alone, given that the directory itself may be read. */
export function mayBeSearched(directory: string, names: readonly string[], places: Roots): boolean {
  if (isGitDirectory((name) => names.includes(name))) return false;
  return names
    .map((name) => join(directory, name))
    .every(
      (path) => deniedReading(path, places) === null && !isSecretByName(path) && !GIT_BY_NAME.test(path),
    );
}

/** Whether it is a git directory or in one, also in one by another name: a bare repository, a separate git directory. */
export function isInGit(path: string, places: Roots): boolean {
  if (GIT_BY_NAME.test(path) || isGitDirectory((name) => places.isThere(join(path, name)))) return true;
  return dirname(path) !== path && isInGit(dirname(path), places);
}

const GIT_BY_NAME = /\/\.git(?:\/|$)/i;

function isGitDirectory(holds: (name: string) => boolean): boolean {
  return ["HEAD", "objects", "refs"].every(holds);
}

/** Why writing it is asked about each time; null where it is not. */
export function cautionWriting(path: string, { workspaces }: Roots): string | null {
  const isMemory = workspaces.some((root) => isWithin(root, path));
  return isMemory ? "It is part of the memory that models are given." : null;
}

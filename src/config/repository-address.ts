/**
 * Normalises a repository's URL: ssh or https, with or without a port, ".git", capitals or a user name. User names and
 * passwords are dropped, so they can't leak.
 */
import { resolve } from "node:path";

/** "host/path", or a local absolute path; null if it is neither. Relative paths start at `base`. */
export function repositoryAddress(url: string, base: string): string | null {
  const { local, host, path } = partsOf(url.trim());
  if (local !== null) return local === "" ? null : trimmed(resolve(base, local));
  const repository = trimmed(path).replace(/^\/+/, "");
  const server = host.toLowerCase().replace(OTHER_DOORS, "");
  return server === "" || repository === "" ? null : `${server}/${repository.toLowerCase()}`;
}

/** Aliases of servers: for ssh over port 443, and with "www". */
const OTHER_DOORS = /^(?:ssh|altssh|www)\.(?=.+\.)/;

interface Parts {
  /** A local path; null for another machine. */
  readonly local: string | null;
  readonly host: string;
  readonly path: string;
}

const NOWHERE: Parts = { local: "", host: "", path: "" };

function partsOf(url: string): Parts {
  const scheme = /^([a-z][a-z0-9+.-]*):\/\//i.exec(url)?.[1]?.toLowerCase();
  if (scheme === "file") return { ...NOWHERE, local: decoded(url.slice("file://".length)) };
  if (scheme !== undefined) return partsOfUrl(url.slice(scheme.length + "://".length));
  // "helper::address" is for a remote helper of git.
  if (/^[a-z0-9]+::/i.test(url)) return NOWHERE;
  const short = SHORT.exec(url);
  if (short === null) return { ...NOWHERE, local: url };
  const [, bracketed, host = bracketed ?? "", path = ""] = short;
  return { local: null, host, path };
}

/** git@example.org:team/project.git, but not a path with a colon or a drive letter. */
const SHORT = /^(?![A-Za-z]:[\\/])(?:[^/\\:[\]]*@)?(?:\[([^\]/]+)\]|([^/\\:@[\]]+)):(.+)$/s;

function partsOfUrl(rest: string): Parts {
  const end = rest.search(/[/?#]/);
  const authority = end < 0 ? rest : rest.slice(0, end);
  const path = end < 0 ? "" : rest.slice(end).replace(/[?#].*$/s, "");
  const host = authority.slice(authority.lastIndexOf("@") + 1).replace(/:\d*$/, "");
  return { local: null, host: host.replace(/^\[(.*)\]$/, "$1"), path: decoded(path) };
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

function trimmed(path: string): string {
  const single = path.replace(/[\\/]+/g, "/").replace(/\/+$/, "");
  return single.replace(/\.git$/i, "").replace(/\/+$/, "");
}

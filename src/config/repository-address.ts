/**
 * One name for a repository, however its address is spelt: with ssh or https, with or without a port, ".git", capitals, or a
 * user's name. Names and passwords in it are left out, so they cannot go any further.
 */
import { resolve } from "node:path";

/** "host/path", or an absolute path on this machine. null for what says neither. `base`: what a relative path starts from. */
export function repositoryAddress(url: string, base: string): string | null {
  const { local, host, path } = partsOf(url.trim());
  if (local !== null) return local === "" ? null : trimmed(resolve(base, local));
  const place = trimmed(path).replace(/^\/+/, "");
  const server = host.toLowerCase().replace(OTHER_DOORS, "");
  return server === "" || place === "" ? null : `${server}/${place.toLowerCase()}`;
}

/** The same server by other names: for those who cannot reach port 22, and for browsers. */
const OTHER_DOORS = /^(?:ssh|altssh|www)\.(?=.+\.)/;

interface Parts {
  /** A path on this machine; null where it is another one. */
  readonly local: string | null;
  readonly host: string;
  readonly path: string;
}

const NOWHERE: Parts = { local: "", host: "", path: "" };

function partsOf(url: string): Parts {
  const scheme = /^([a-z][a-z0-9+.-]*):\/\//i.exec(url)?.[1]?.toLowerCase();
  if (scheme === "file") return { ...NOWHERE, local: decoded(url.slice("file://".length)) };
  if (scheme !== undefined) return partsOfUrl(url.slice(scheme.length + "://".length));
  // "helper::address" is for a program of its own to understand.
  if (/^[a-z0-9]+::/i.test(url)) return NOWHERE;
  const short = SHORT.exec(url);
  if (short === null) return { ...NOWHERE, local: url };
  const [, bracketed, host = bracketed ?? "", path = ""] = short;
  return { local: null, host, path };
}

/** git@example.org:team/project.git; not a path with a colon in it, nor a drive. */
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

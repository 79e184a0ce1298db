/** Reads the URLs of a repository's remotes from git's config file. Does not follow includes. */

interface Remote {
  readonly name: string;
  /** The first URL, which git fetches from. */
  readonly url: string;
}

/** Remotes with a URL, in file order. */
export function remotesIn(config: string): Remote[] {
  const urls = new Map<string, string>();
  let remote: string | null = null;
  for (const line of joinedLines(config)) {
    const header = HEADER.exec(line);
    if (header !== null) remote = remoteOf(header);
    const setting = header === null ? line : line.slice(header[0].length);
    const url = remote === null ? null : urlIn(setting);
    if (remote !== null && url !== null && !urls.has(remote)) urls.set(remote, url);
  }
  return [...urls].map(([name, url]) => ({ name, url }));
}

/** `[remote "origin"]`, or the old form `[remote.origin]`. */
const HEADER = /^\s*\[\s*([A-Za-z0-9.-]+)(?:\s+"((?:[^"\\]|\\.)*)")?\s*\]/;

function remoteOf([, section = "", name]: RegExpExecArray): string | null {
  const [kind = "", ...old] = section.toLowerCase().split(".");
  if (kind !== "remote") return null;
  return name === undefined ? old.join(".") || null : name.replace(/\\(.)/g, "$1");
}

function urlIn(line: string): string | null {
  const text = /^\s*url\s*=(.*)$/i.exec(line)?.[1];
  return text === undefined ? null : valueIn(text) || null;
}

const ESCAPES: Readonly<Record<string, string>> = { n: "\n", t: "\t", b: "\b" };

/** Unquotes and unescapes a value. Outside quotes, a comment ends it. */
function valueIn(text: string): string {
  let value = "";
  let isQuoted = false;
  for (const [token] of text.trim().matchAll(/\\.|./gsu)) {
    if (token === '"') isQuoted = !isQuoted;
    else if (!isQuoted && (token === "#" || token === ";")) break;
    else value += token.startsWith("\\") ? (ESCAPES[token.slice(1)] ?? token.slice(1)) : token;
  }
  return value.trim();
}

function joinedLines(config: string): string[] {
  return config.replace(/\\\r?\n/g, "").split(/\r?\n/);
}

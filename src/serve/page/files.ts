/** The page's own files, as the build left them. They contain no memory, so anybody who reaches the server may load them. */
import { join } from "node:path";
import { RetainError } from "../../core/errors.ts";
import { ownFile } from "../../util/own-files.ts";

/** Nothing from elsewhere, no inline script or style, and no other page may embed this one. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

export const PAGE_HEADERS = {
  "Content-Security-Policy": POLICY,
  "Referrer-Policy": "no-referrer",
  "X-Content-Type-Options": "nosniff",
  "X-Frame-Options": "DENY",
  "Cross-Origin-Opener-Policy": "same-origin",
  "Cross-Origin-Resource-Policy": "same-origin",
} as const;

const HOME = "index.html";
const ASSET = /^\/assets\/[\w-]+\.(?:js|css)$/;

export function isPageFile(path: string): boolean {
  return path === "/" || ASSET.test(path);
}

/** The file for a path that `isPageFile` accepts. */
export class PageFiles {
  readonly #directory: string;
  /** Compressed assets, by path. Their names change with their content. */
  readonly #compressed = new Map<string, Uint8Array<ArrayBuffer>>();

  /** Throws `io` if the page was not built. */
  constructor() {
    const home = ownFile("./web/index.html", "../../dist/web/index.html");
    if (home === null) throw new RetainError("io", "The web page was not built.", "Install Retain again.");
    this.#directory = join(home, "..");
  }

  /** Compressed if the browser takes that. */
  async response(path: string, headers: Headers): Promise<Response> {
    const file = Bun.file(join(this.#directory, path === "/" ? HOME : path));
    if (!(await file.exists())) return new Response("Not found.", { status: 404, headers: PAGE_HEADERS });
    const cache = path === "/" ? "no-cache" : "public, max-age=31536000, immutable";
    const common = {
      ...PAGE_HEADERS,
      "Content-Type": file.type,
      "Cache-Control": cache,
      Vary: "Accept-Encoding",
    };
    if (!/\bgzip\b/.test(headers.get("accept-encoding") ?? ""))
      return new Response(file, { headers: common });
    const body = this.#compressed.get(path) ?? Bun.gzipSync(await file.bytes());
    if (path !== "/") this.#compressed.set(path, body);
    return new Response(body, { headers: { ...common, "Content-Encoding": "gzip" } });
  }
}

/** A project in a git repository, with one document, `doc`. */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { Sandbox } from "./sandbox.ts";

export const body = (text: string) => ({ stdin: `# Doc\n\n${text}\n` });

/** A repository with a project in it, by default at its root. */
export class Repository extends Sandbox {
  constructor(readonly project = "") {
    super();
    this.git(["init", "-q", "-b", "main"]);
    mkdirSync(this.cwd, { recursive: true });
    this.retain(["init"]);
  }

  get cwd(): string {
    return join(this.work, this.project);
  }

  retain(args: string[], options: Parameters<Sandbox["run"]>[1] = {}) {
    return this.ok(args, { cwd: this.cwd, ...options });
  }

  fails(args: string[], options: Parameters<Sandbox["run"]>[1] = {}) {
    return this.run(args, { cwd: this.cwd, ...options });
  }

  put(text: string): void {
    this.retain(["put", "-", "--id", "doc", "--collection", "knowledge"], body(text));
  }

  commit(message: string): void {
    this.git(["add", "-A"]);
    this.git(["commit", "-qm", message]);
  }

  get file(): string {
    return join(this.cwd, ".retain/collections/knowledge/doc.md");
  }

  get names(): string[] {
    return this.retain(["versions", "doc", "-q"]).stdout.trim().split("\n");
  }

  raw(...args: string[]): string {
    return this.retain(["get", "doc", "--format", "raw", ...args]).stdout;
  }

  get asideFiles(): string[] {
    return this.tree(this.work).filter((path) => path.includes("/.versions/"));
  }
}

/**
 * Names and ids that a person can type, for shell completion. Reads files only: the database stays closed, nothing is created,
 * written or sent.
 */
import { findSkills } from "../agent/skills/skills.ts";
import { resolveWorkspace } from "../config/resolve-workspace.ts";
import type { Settings } from "../config/schema.ts";
import type { Choice, Scope, Surroundings } from "../config/workspace.ts";
import { type DocumentRef, fieldText, textList } from "../core/documents/document.ts";
import { parseLoosely } from "../core/documents/frontmatter.ts";
import type { Fact } from "../core/facts/fact.ts";
import { isInferredFile, kindOfFile } from "../core/facts/memory-paths.ts";
import { shareableFields } from "../core/secrets/shareable.ts";
import { readSession } from "../core/sessions/session-file.ts";
import { listVersions } from "../documents/history.ts";
import { findKept } from "../documents/read.ts";
import { factsInFiles } from "../facts/sync/sync-facts.ts";
import { doubtsAmong } from "../facts/unconfirmed/review.ts";
import { idOfFile, SessionFiles } from "../files/session-files.ts";
import { Wiring } from "./wiring.ts";

/** A name, and a text that says what it names. */
export interface Named {
  readonly name: string;
  readonly about?: string;
}

/** Reading files takes time, and completion runs at each Tab: only the newest are opened. */
const MOST_READ = 200;

export class Names {
  readonly settings: Settings;
  readonly #choice: Choice;
  readonly #wiring: Wiring;

  constructor(surroundings: Surroundings, scope: Scope) {
    const { choice, config } = resolveWorkspace(surroundings, scope);
    const quiet = { warn: () => {}, isSecondLook: true };
    // A server would be asked over the network.
    const local = { ...config, settings: { ...config.settings, memory_backend: "off" as const } };
    this.settings = config.settings;
    this.#choice = choice;
    const clock = () => new Date();
    this.#wiring = new Wiring({ choice, config: local, surroundings, scope, clock, ...quiet });
  }

  documents(): Named[] {
    return this.#locals.flatMap(({ files }) => files.scan().found.map(named));
  }

  /** Documents that Retain may change: not those in folders. */
  ownDocuments(): Named[] {
    return this.#locals.flatMap(({ files }) =>
      files
        .scan()
        .found.filter(({ ref }) => files.folderOf(ref.collection) === null)
        .map(named),
    );
  }

  deleted(): Named[] {
    return this.#locals.flatMap(({ versions, files }) =>
      versions
        .known()
        .filter((ref) => !files.has(ref))
        .map(({ id, collection }) => ({ name: id, about: `deleted from ${collection}` })),
    );
  }

  /** Newest first. `id` may be a deleted document's. */
  versions(id: string): Named[] {
    for (const local of this.#locals)
      try {
        const ports = this.#wiring.documentPorts(local);
        const ref = findKept(ports, id);
        if (ref === null) continue;
        const { versions } = listVersions(ports, ref);
        return versions.map(({ version, message, timestamp }) => ({
          name: version,
          about: [timestamp, message].filter(Boolean).join(" "),
        }));
      } catch {
        // Another workspace may have it.
      }
    return [];
  }

  collections(): Named[] {
    const names = [...this.settings.collections, ...this.#locals.flatMap(({ files }) => files.collections())];
    return names.map((name) => ({ name }));
  }

  facts(which: "holding" | "unconfirmed" | "undecided" = "holding"): Named[] {
    return this.#facts.flatMap((facts) => {
      const doubtful = which === "undecided" ? doubtsAmong(facts).map(({ newer }) => newer) : [];
      const wanted = which === "holding" ? facts : facts.filter(({ file }) => isInferredFile(file));
      return [...doubtful, ...wanted].map(({ id, text }) => ({ name: id, about: text }));
    });
  }

  get #facts(): Fact[][] {
    return this.#locals.map(({ memoryFiles: files }) =>
      factsInFiles({ files, clock: () => new Date(), warn: () => {} }).filter(
        ({ ended_at }) => ended_at === null,
      ),
    );
  }

  /** Newest first. */
  sessions(): Named[] {
    return this.#sessions().map(({ id, title }) => ({ name: id, about: title ?? "" }));
  }

  chats(): Named[] {
    const kept = this.#memoryFiles().flatMap((file) => ("chat" in file ? (file.chat ?? []) : []));
    return [...kept, ...this.#sessions().map(({ chat }) => chat)].map((name) => ({ name }));
  }

  mentalModels(): Named[] {
    return this.#memoryFiles().flatMap((file) => (file.kind === "model" ? { name: file.name } : []));
  }

  skills(): Named[] {
    const { home, project } = this.#choice;
    return findSkills(home.root, project?.root ?? null).map(({ name, description }) => {
      return { name, about: description };
    });
  }

  /** Of facts, sessions, and the documents that changed last. */
  tags(): Named[] {
    const facts = this.#facts.flat().flatMap(({ source }) => source.tags);
    const names = [...this.#fields("tags"), ...facts, ...this.#sessions().flatMap(({ tags }) => tags)];
    return names.map((name) => ({ name }));
  }

  /** Values of a frontmatter field in the documents that changed last. */
  values(field: string): Named[] {
    return this.#fields(field).map((name) => ({ name }));
  }

  close(): void {
    this.#wiring.close();
  }

  get #locals() {
    return this.#wiring.readWorkspaces();
  }

  #memoryFiles() {
    return this.#locals.flatMap(({ memoryFiles }) =>
      memoryFiles.scan().flatMap(({ path }) => kindOfFile(path) ?? []),
    );
  }

  #fields(field: string): string[] {
    const values = this.#locals.flatMap(({ files }) =>
      files
        .scan()
        .found.toSorted((a, b) => b.stamp.mtime - a.stamp.mtime)
        .slice(0, MOST_READ)
        .flatMap(({ ref }) => {
          const bytes = files.read(ref)?.bytes;
          const value = bytes === undefined ? null : parseLoosely(bytes).fields[field];
          const all = field === "tags" || field === "related_to" ? textList(value) : [fieldText(value) ?? ""];
          // The field's name may be what makes its value a secret.
          return all.filter((one) => shareableFields({ [field]: one })[field] === one);
        }),
    );
    return [...new Set(values)];
  }

  #sessions() {
    return this.#locals.flatMap(({ sessions: { directory } }) => {
      const files = new SessionFiles(directory);
      const newest = [...files.list()].sort(([, a], [, b]) => b.mtime - a.mtime).slice(0, MOST_READ);
      return newest.flatMap(
        ([name]) => readSession(files.read(name) ?? new Uint8Array(), idOfFile(name)).session ?? [],
      );
    });
  }
}

function named({ ref }: { readonly ref: DocumentRef }): Named {
  return { name: ref.id, about: ref.collection };
}

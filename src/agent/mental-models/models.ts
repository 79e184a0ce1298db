/** The mental models API for programs, the CLI and the chat. */

import { checkNewName } from "../../core/documents/names.ts";
import { RetainError } from "../../core/errors.ts";
import { command, hint, option } from "../../core/hint.ts";
import {
  type AnsweredBy,
  type MentalModelState,
  newModel,
  removedModel,
  withPin,
} from "../../core/mental-model.ts";
import { findSecrets } from "../../core/secrets/secrets.ts";
import { isoSeconds } from "../../util/days.ts";
import { stripAnsi } from "../../util/runtime.ts";
import { squeezed, withoutControls } from "../../util/text.ts";
import { builtIn } from "./built-in.ts";
import type { MentalModelOrigin, MentalModelPorts, MentalModelWorkspace, Writer } from "./ports.ts";
import { type Refreshed, refreshAll, refreshModel, seedModel } from "./refresh.ts";
import { refreshRemote } from "./remote.ts";
import {
  findMentalModel,
  mentalModelsIn,
  readMentalModel,
  recordAddition,
  replaceMentalModel,
  type StoredMentalModel,
  workspaceOf,
} from "./store.ts";

export interface MentalModelInfo {
  readonly name: string;
  readonly origin: MentalModelOrigin;
  readonly path: string;
  readonly question: string;
  readonly tags: readonly string[];
  readonly built_in: boolean;
  readonly state: MentalModelState;
  readonly by: AnsweredBy | null;
  readonly refreshed_at: string | null;
  readonly sources: readonly string[];
  /** Markdown; "" if there is none yet. */
  readonly answer: string;
  /** Why the file cannot be read; null if it can. */
  readonly problem: string | null;
}

export interface AddMentalModelOptions {
  /** Use only memories with all of these tags. */
  readonly tags?: readonly string[];
  /** The model that writes the answer; null for none. By default the configured one. */
  readonly model?: Writer["model"];
}

export interface RefreshMentalModelsOptions {
  /** By default all. */
  readonly name?: string;
  /** Also refresh recent and unchanged ones. */
  readonly force?: boolean;
  /** Also overwrite edited and pinned ones; `undo` restores them. */
  readonly overwrite?: boolean;
  /** The model that writes the answers; null for none. By default the configured one. */
  readonly model?: Writer["model"];
  readonly onUsage?: Writer["onUsage"];
  readonly signal?: AbortSignal;
}

const LONGEST_QUESTION = 2_000;

export class MentalModels {
  constructor(private readonly ports: MentalModelPorts) {}

  /** By name, those of the nearest workspace first. */
  async list(): Promise<MentalModelInfo[]> {
    return this.ports.workspaces().flatMap((workspace) => mentalModelsIn(workspace).map(infoOf));
  }

  /** Throws `not_found`, `invalid_name`. */
  async show(name: string): Promise<MentalModelInfo> {
    return infoOf(findMentalModel(this.ports, name));
  }

  /**
   * Adds a standing question and answers it for the first time. A built-in one needs no question, and can be added again after it was
   * removed. `undo` removes it. Throws `exists`, `usage`, `invalid_name`, `no_project`, `remote`.
   */
  async add(
    name: string,
    question?: string,
    { tags = [], model }: AddMentalModelOptions = {},
  ): Promise<MentalModelInfo> {
    checkNewName("id", name);
    const asked = squeezed(withoutControls(stripAnsi(question ?? builtIn(name)?.question ?? "")));
    checkQuestion(asked, name);
    const workspace = this.#workspaceFor(name, question !== undefined);
    const known = readMentalModel(workspace, name);
    if (known !== null && known.state !== "removed")
      throw new RetainError(
        "exists",
        `The mental model '${name}' already exists.`,
        hint`To change its question, edit its file. To see the path: ${command("mental-models show", name)}`,
      );
    await this.ports.remote?.create(name, asked, tags, workspace.origin === "home");
    const after = newModel({ question: asked, tags, builtIn: builtIn(name)?.question === asked });
    const before = known?.file ?? null;
    if (!(await replaceMentalModel(workspace, name, { before, after }, this.ports.clock())))
      throw changed(name);
    await this.refresh({ name, ...(model !== undefined && { model }) });
    await recordAddition(workspace, name, before, this.ports.clock());
    return this.show(name);
  }

  /** Returns the outcome of each. Throws `not_found` for a name, `interrupted` if the signal aborts. */
  async refresh({ name, ...options }: RefreshMentalModelsOptions = {}): Promise<Refreshed[]> {
    const { remote } = this.ports;
    if (remote !== null) return refreshRemote(this.ports, remote, { name, force: true, ...options });
    const model = options.model === undefined ? await this.#model() : options.model;
    const how = { ...options, model };
    if (name === undefined) return refreshAll(this.ports, how);
    const seed = builtIn(name);
    const workspace = seed === null ? undefined : workspaceOf(this.ports, seed);
    if (seed !== null && workspace !== undefined && readMentalModel(workspace, name) === null)
      return [await seedModel(this.ports, workspace, seed, how)];
    return [await refreshModel(this.ports, findMentalModel(this.ports, name), how)];
  }

  /**
   * For chats. New answers quote memories, which costs nothing; a model writes them once the interval has passed.
   * While a model is configured, quotes never replace a model's answer.
   */
  async refreshInBackground(writer: Writer): Promise<Refreshed[]> {
    const { remote } = this.ports;
    if (remote !== null) return refreshRemote(this.ports, remote, { force: false, signal: writer.signal });
    const isConfigured = writer.model !== null || (await this.#model()) !== null;
    const extracts = { model: null, signal: writer.signal, extractsOnly: isConfigured };
    return refreshAll(this.ports, writer.model === null ? extracts : writer, extracts);
  }

  /** `undo` restores it. A built-in one leaves a marker, so that it isn't created again. Throws `not_found`, `invalid_name`. */
  async remove(name: string): Promise<Pick<MentalModelInfo, "name" | "origin" | "path">> {
    const model = await this.#find(name);
    const { workspace, file, path, question } = model;
    const now = this.ports.clock();
    const seed = builtIn(name);
    const isSeed = seed !== null && (model.builtIn || seed.origin === workspace.origin);
    const after = isSeed ? removedModel({ question: question || seed.question }, isoSeconds(now)) : null;
    const isGone = await replaceMentalModel(
      workspace,
      name,
      { before: file, after, undo: "mental-models remove" },
      now,
    );
    if (!isGone) throw changed(name);
    return { name, origin: workspace.origin, path };
  }

  /** A pinned one is never refreshed. Throws `not_found`, `invalid_name`, and `conflict` for one without a question. */
  async pin(name: string, pinned = true): Promise<MentalModelInfo> {
    const model = await this.#find(name);
    if (model.file === null || model.problem !== null)
      throw new RetainError("invalid_input", model.problem ?? `${model.path} cannot be read.`, model.path);
    if (!pinned && model.question === "")
      throw new RetainError(
        "conflict",
        `'${name}' is your own text: it has no question to answer again.`,
        "Add one to its frontmatter: question: …",
      );
    const after = withPin(model.file, pinned);
    const { workspace, file } = model;
    if (
      after !== file &&
      !(await replaceMentalModel(workspace, name, { before: file, after }, this.ports.clock()))
    )
      throw changed(name);
    return this.show(name);
  }

  /** For changes: first completes an interrupted change. */
  async #find(name: string): Promise<StoredMentalModel> {
    for (const { files, lock } of this.ports.workspaces())
      if (files.unfinished && lock.writable) await lock.exclusively(() => files.recover());
    return findMentalModel(this.ports, name);
  }

  /** A built-in one with a question of its own can be anywhere. */
  #workspaceFor(name: string, isOwn: boolean): MentalModelWorkspace {
    const seed = builtIn(name);
    const [nearest] = this.ports.workspaces();
    const found = seed === null ? nearest : (workspaceOf(this.ports, seed) ?? (isOwn ? nearest : undefined));
    if (found !== undefined) return found;
    throw new RetainError(
      "no_project",
      seed?.origin === "home"
        ? `The mental model '${name}' belongs to the home workspace, not to a project.`
        : `The mental model '${name}' belongs to a project, and you are not in one.`,
      seed?.origin === "home"
        ? hint`Leave out ${option("local")}.`
        : hint`Make this directory a project first: ${command("init")}`,
    );
  }

  /** A model that cannot be opened fails only when it is asked, so that the existing answer is kept. */
  async #model(): Promise<Writer["model"]> {
    try {
      return await this.ports.model();
    } catch (error) {
      if (!(error instanceof RetainError)) throw error;
      return { complete: () => Promise.reject(error) };
    }
  }
}

function checkQuestion(question: string, name: string): void {
  if (question === "")
    throw new RetainError(
      "usage",
      "A mental model needs a question.",
      hint`For example: ${command("mental-models add", name, "Which people are in the team, and what does each do?")}`,
    );
  if (question.length > LONGEST_QUESTION)
    throw new RetainError("usage", `The question is too long: the limit is ${LONGEST_QUESTION} characters.`);
  const [secret] = findSecrets(question);
  if (secret !== undefined)
    throw new RetainError(
      "secret",
      `Not saved: the question contains ${secret.what}.`,
      "Remove it from the question.",
    );
}

function changed(name: string): RetainError {
  return new RetainError(
    "conflict",
    `The mental model '${name}' changed in the meantime.`,
    hint`Check it, then try again: ${command("mental-models show", name)}`,
  );
}

function infoOf(model: StoredMentalModel): MentalModelInfo {
  const { name, workspace, path, question, tags, state, sources, answer, problem } = model;
  return {
    ...{ name, origin: workspace.origin, path, question, tags, built_in: model.builtIn, state },
    by: state === "edited" || (state === "pinned" && !model.isAsWritten) ? "hand" : model.by,
    refreshed_at: model.refreshedAt,
    ...{ sources, answer: state === "removed" ? "" : answer, problem },
  };
}

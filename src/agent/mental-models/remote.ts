/**
 * Mental models answered by a Hindsight server. Answers are cached in the same files as local ones, so they are available when the
 * server is not. Answers that the user pinned, edited or removed stay unchanged.
 */

import { isNewName } from "../../core/documents/names.ts";
import { slugify } from "../../core/documents/slug.ts";
import { messageOf, RetainError } from "../../core/errors.ts";
import { newModel, withAnswer } from "../../core/mental-model.ts";
import type { BackendMentalModel, BackendMentalModels } from "../../core/ports/backend.ts";
import { isoSeconds } from "../../util/days.ts";
import { sha256 } from "../../util/hash.ts";
import { unlessAborted } from "../../util/within.ts";
import { clean } from "./answer.ts";
import { BUILT_IN, builtIn } from "./built-in.ts";
import type { MentalModelPorts, MentalModelWorkspace } from "./ports.ts";
import type { Refreshed } from "./refresh.ts";
import {
  findMentalModel,
  mentalModelsIn,
  readMentalModel,
  replaceMentalModel,
  workspaceOf,
} from "./store.ts";

interface RemoteHow {
  /** Only the one with this name. */
  readonly name?: string | undefined;
  /** Ask the server to refresh its answers; otherwise fetch the current ones. */
  readonly force: boolean;
  readonly overwrite?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Errors that are not the server's. */
const THE_CALLERS = new Set(["interrupted", "not_found", "invalid_name"]);

/**
 * If the server doesn't answer, reports that and keeps the cached answers. Throws `remote` if there are none, `not_found` for a name
 * that neither the server nor a file has, `interrupted` if the signal aborts.
 */
export async function refreshRemote(
  ports: MentalModelPorts,
  remote: BackendMentalModels,
  how: RemoteHow,
): Promise<Refreshed[]> {
  try {
    const done: Refreshed[] = [];
    const models = await listed(ports, stoppable(remote, how.signal), how);
    if (how.name !== undefined && models.length === 0) findMentalModel(ports, how.name);
    for (const model of models) {
      const cached = model.content.trim() === "" ? null : await cache(ports, model, how);
      if (cached !== null) done.push(cached);
    }
    return done;
  } catch (error) {
    if (!(error instanceof RetainError) || THE_CALLERS.has(error.code)) throw error;
    const known = ports
      .workspaces()
      .flatMap((workspace) => mentalModelsIn(workspace))
      .filter(({ name, state }) => state !== "removed" && (how.name ?? name) === name);
    // Otherwise the user would read that there is nothing to refresh.
    if (how.force && known.length === 0) throw error;
    const notice = `${messageOf(error)} Using the cached answers.`;
    return known.map(({ name, workspace }) => ({
      name,
      origin: workspace.origin,
      outcome: "failed",
      notice,
    }));
  }
}

/** A conversation that ends must not wait for the server. */
function stoppable(remote: BackendMentalModels, signal: AbortSignal | undefined): BackendMentalModels {
  if (signal === undefined) return remote;
  return {
    list: () => unlessAborted(signal, remote.list(), interrupted),
    create: (...model) => unlessAborted(signal, remote.create(...model), interrupted),
    refresh: (id) => unlessAborted(signal, remote.refresh(id), interrupted),
  };
}

function interrupted(): never {
  throw new RetainError("interrupted", "Stopped.");
}

async function listed(ports: MentalModelPorts, remote: BackendMentalModels, { name, force }: RemoteHow) {
  const there = await remote.list();
  const { mental_models_enabled, mental_model_auto_seed } = ports.settings;
  if (mental_models_enabled && mental_model_auto_seed)
    for (const seed of BUILT_IN) {
      const workspace = workspaceOf(ports, seed);
      const isNew = workspace !== undefined && readMentalModel(workspace, seed.name)?.state !== "removed";
      if (isNew && !there.some((one) => one.name === seed.name))
        await remote.create(seed.name, seed.question, [], seed.origin === "home");
    }
  const wanted = (models: readonly BackendMentalModel[]) =>
    oneOfEach(models).filter((one) => name === undefined || localName(one) === name);
  if (!force) return wanted(there);
  for (const { id } of wanted(there)) await remote.refresh(id);
  return wanted(await remote.list());
}

/** If several map to the same file, the first one wins. */
function oneOfEach(models: readonly BackendMentalModel[]): BackendMentalModel[] {
  return [...Map.groupBy(models, localName).values()].flatMap(([first]) => first ?? []);
}

/** A server's name is used as a file name only if it is safe. */
function localName({ name, id }: BackendMentalModel): string {
  return isNewName("id", name) ? name : slugify(name) || slugify(id) || "model";
}

/** null if there is no workspace for it. */
async function cache(
  ports: MentalModelPorts,
  model: BackendMentalModel,
  { overwrite = false }: RemoteHow,
): Promise<Refreshed | null> {
  const name = localName(model);
  const workspace = workspaceFor(ports, name);
  if (workspace === undefined) return null;
  const known = readMentalModel(workspace, name);
  const entry = { name, origin: workspace.origin, notice: null };
  const state = known?.state ?? "fresh";
  if (state === "removed") return null;
  if (state !== "fresh" && !overwrite) return { ...entry, outcome: state };
  const text = clean(model.content);
  const fingerprint = sha256(text).slice(0, 16);
  if (known?.by === "hindsight" && known.fingerprint === fingerprint)
    return { ...entry, outcome: "unchanged" };
  const question = clean(model.question) || name;
  const before = known?.file ?? null;
  const file = before ?? newModel({ question, tags: [], builtIn: builtIn(name) !== null });
  const answer = { text, by: "hindsight", at: isoSeconds(ports.clock()), sources: [], fingerprint } as const;
  const undo = state === "fresh" ? {} : { undo: "models refresh" };
  const after = withAnswer(file, answer);
  const isWritten = await replaceMentalModel(workspace, name, { before, after, ...undo }, ports.clock());
  return { ...entry, outcome: isWritten ? "refreshed" : "unchanged" };
}

function workspaceFor(ports: MentalModelPorts, name: string): MentalModelWorkspace | undefined {
  const seed = builtIn(name);
  if (seed !== null) return workspaceOf(ports, seed);
  const workspaces = ports.workspaces();
  return workspaces.find((workspace) => readMentalModel(workspace, name) !== null) ?? workspaces[0];
}

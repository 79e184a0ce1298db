/**
 * Refreshes answers. If nothing relevant has changed, it asks no model and writes nothing. Edited and pinned answers are left
 * alone, and an answer is never lost because memory could not be searched.
 */
import { messageOf, RetainError } from "../../core/errors.ts";
import { newModel, withAnswer } from "../../core/mental-model.ts";
import { isoSeconds } from "../../util/days.ts";
import { type Answer, answer, fingerprintOf, relevant } from "./answer.ts";
import { BUILT_IN, type BuiltIn, sourcesOf } from "./built-in.ts";
import type { MentalModelOrigin, MentalModelPorts, MentalModelWorkspace, Writer } from "./ports.ts";
import {
  mentalModelsIn,
  readMentalModel,
  replaceMentalModel,
  type StoredMentalModel,
  workspaceOf,
} from "./store.ts";

/** "recent": answered within the interval. "nothing": no relevant memories, and no file. */
type RefreshOutcome = "refreshed" | "unchanged" | "recent" | "pinned" | "edited" | "nothing" | "failed";

export interface Refreshed {
  readonly name: string;
  readonly origin: MentalModelOrigin;
  readonly outcome: RefreshOutcome;
  /** A message for the user; null if there is none. */
  readonly notice: string | null;
}

interface RefreshHow extends Writer {
  /** Also refresh recent and unchanged ones. */
  readonly force?: boolean;
  /** Also overwrite edited and pinned ones; `undo` restores them. */
  readonly overwrite?: boolean;
  /**
   * Ask no model now, although one is configured: its answers stay, and it rewrites quoted answers the next time.
   */
  readonly extractsOnly?: boolean;
}

/** Refreshes existing mental models and creates missing built-in ones, with `howToSeed`. */
export async function refreshAll(
  ports: MentalModelPorts,
  how: RefreshHow,
  howToSeed: RefreshHow = how,
): Promise<Refreshed[]> {
  const done: Refreshed[] = [];
  for (const workspace of ports.workspaces()) {
    for (const model of mentalModelsIn(workspace))
      if (model.state !== "removed") done.push(await refreshModel(ports, model, how));
    const { mental_models_enabled, mental_model_auto_seed } = ports.settings;
    if (mental_models_enabled && mental_model_auto_seed)
      for (const seed of BUILT_IN)
        if (
          workspaceOf(ports, seed)?.origin === workspace.origin &&
          readMentalModel(workspace, seed.name) === null
        )
          done.push(await seedModel(ports, workspace, seed, howToSeed));
  }
  return done;
}

export async function refreshModel(
  ports: MentalModelPorts,
  model: StoredMentalModel,
  how: RefreshHow,
): Promise<Refreshed> {
  const outcome = skipReason(ports, model, how);
  const { name, workspace } = model;
  if (outcome !== null) return { name, origin: workspace.origin, outcome, notice: model.problem };
  return refreshedBy(name, workspace.origin, () => refreshAnswer(ports, model, how));
}

/** The outcome if the answer needs no refresh; otherwise null. */
function skipReason(
  ports: MentalModelPorts,
  model: StoredMentalModel,
  how: RefreshHow,
): RefreshOutcome | null {
  const { state, question, file, by } = model;
  if (question === "" || file === null) return "pinned";
  if ((state === "pinned" || state === "edited") && !how.overwrite) return state;
  if (how.extractsOnly && by !== null && by !== "extract") return "unchanged";
  return !how.force && isRecent(ports, model) ? "recent" : null;
}

/** One without an answer is never recent: it waits for the first relevant memory. */
function isRecent(
  { settings, clock }: MentalModelPorts,
  { refreshedAt, answer: said }: StoredMentalModel,
): boolean {
  if (refreshedAt === null || said === "") return false;
  const age = clock().getTime() - Date.parse(refreshedAt);
  return age >= 0 && age < settings.mental_model_refresh_interval_ms;
}

interface Done {
  readonly outcome: RefreshOutcome;
  readonly notice?: string | null;
}

async function refreshedBy(
  name: string,
  origin: MentalModelOrigin,
  work: () => Promise<Done>,
): Promise<Refreshed> {
  try {
    const { outcome, notice = null } = await work();
    return { name, origin, outcome, notice };
  } catch (error) {
    if (!(error instanceof RetainError) || error.code === "interrupted") throw error;
    return { name, origin, outcome: "failed", notice: `${messageOf(error)} ${UNCHANGED}` };
  }
}

async function refreshAnswer(
  ports: MentalModelPorts,
  model: StoredMentalModel,
  how: RefreshHow,
): Promise<Done> {
  const { name, workspace, question, tags, file } = model;
  if (!workspace.lock.writable) return { outcome: "failed", notice: "The workspace is read-only." };
  const found = await ports.recall(workspace.origin, question, tags, sourcesOf(model));
  if (found.partial && model.answer !== "")
    return {
      outcome: "failed",
      notice: `Only keyword search was available. ${UNCHANGED}`,
    };
  const hits = relevant(found.hits);
  const fingerprint = fingerprintOf(question, hits);
  if (fingerprint === model.fingerprint && !how.force && !how.overwrite) return { outcome: "unchanged" };
  const written = await answer(question, hits, how, sourcesOf(model));
  const isWorse = written.problem !== null && model.by === "model" && !how.overwrite;
  if (isWorse) return { outcome: "failed", notice: `${written.problem} ${UNCHANGED}` };
  const notice = written.problem === null ? null : `${written.problem} ${INSTEAD}`;
  const isFinal = written.problem === null && !how.extractsOnly;
  if (!isFinal && written.text === model.answer) return { outcome: "unchanged", notice };
  const before = file ?? "";
  const after = withAnswer(before, answerFor(written, isFinal ? fingerprint : null, ports));
  const undo = model.state === "fresh" ? {} : { undo: "models refresh" };
  const isWritten = await replaceMentalModel(workspace, name, { before, after, ...undo }, ports.clock());
  return { outcome: isWritten ? "refreshed" : "unchanged", notice };
}

const UNCHANGED = "The previous answer was kept.";
const INSTEAD = "The answer quotes memories instead.";

/** Without a fingerprint, the next refresh asks the model again. */
function answerFor({ text, by, sources }: Answer, fingerprint: string | null, { clock }: MentalModelPorts) {
  return { text, by, at: isoSeconds(clock()), sources, fingerprint };
}

/** Creates a built-in mental model if there are relevant memories. */
export async function seedModel(
  ports: MentalModelPorts,
  workspace: MentalModelWorkspace,
  { name, question, from }: BuiltIn,
  how: RefreshHow,
): Promise<Refreshed> {
  return refreshedBy(name, workspace.origin, async () => {
    const hits = relevant((await ports.recall(workspace.origin, question, [], from)).hits);
    if (hits.length === 0 || !workspace.lock.writable) return { outcome: "nothing" };
    const written = await answer(question, hits, how, from);
    const empty = newModel({ question, tags: [], builtIn: true });
    const isFinal = written.problem === null && !how.extractsOnly;
    const after = withAnswer(
      empty,
      answerFor(written, isFinal ? fingerprintOf(question, hits) : null, ports),
    );
    const isWritten = await replaceMentalModel(workspace, name, { before: null, after }, ports.clock());
    const notice = written.problem === null ? null : `${written.problem} ${INSTEAD}`;
    return { outcome: isWritten ? "refreshed" : "unchanged", notice };
  });
}

/** What `retain status` shows: where memory is stored, and what is pending. */
import { join } from "node:path";
import { EntryFiles } from "../backends/spool/entry-files.ts";
import type { Config } from "../config/load.ts";
import type { Choice, Surroundings, Workspace } from "../config/workspace.ts";
import type { Incident } from "../core/incidents.ts";
import type { BackendStatus } from "../core/ports/backend.ts";
import { IncidentFile } from "../files/incidents.ts";
import { KeyFile } from "../llm/keys.ts";
import type { IndexCounts } from "../sqlite/database/care.ts";
import { entriesIfThere } from "../util/fs.ts";
import type { LearningStatus } from "./agent/learning.ts";
import { modelFor } from "./agent/models.ts";
import type { HostedStatus } from "./hosted/hosted-vectors.ts";
import { spoolsIn } from "./remote/remote-for.ts";
import type { Wiring } from "./wiring.ts";

/**
 * Pending data for a bank that is not in use here: another project's, or that of a server or backend configured before. It is
 * sent when that bank is used again; until then, only `status` shows it.
 */
interface WaitingElsewhere {
  /** Contains one file per pending item. */
  readonly directory: string;
  /** Including refused items. */
  readonly waiting: number;
}

export interface MemoryStatus {
  readonly workspace: Pick<Workspace, "kind" | "root">;
  /** Counts of this machine's index. */
  readonly counts: IndexCounts;
  readonly backend: BackendStatus;
  /** One entry for each namespace of the hosted vector index; empty if vectors are only on this machine. */
  readonly vectors: readonly HostedStatus[];
  /** Pending memories for banks that are not in use here. */
  readonly elsewhere: readonly WaitingElsewhere[];
  readonly learning: LearningStatus;
  /** The model that MCP tools, programs and background work ask, or how to name one. */
  readonly model: { readonly name: string | null; readonly hint: string | null };
  /** Unacknowledged, oldest first. */
  readonly incidents: readonly Incident[];
}

interface Memory {
  readonly workspace: Workspace;
  readonly choice: Choice;
  readonly config: Config;
  readonly learning: { status(): Promise<LearningStatus> };
}

export async function statusOf(memory: Memory, wiring: Wiring, { env }: Surroundings): Promise<MemoryStatus> {
  await wiring.syncFacts(wiring.local);
  const { kind, root } = memory.workspace;
  return {
    workspace: { kind, root },
    counts: wiring.local.care.counts(),
    backend: (await (await wiring.remote?.backend())?.status()) ?? localStatus(wiring, root),
    vectors: (await wiring.hosted())?.status() ?? [],
    elsewhere: waitingElsewhere(spoolsIn(memory.choice.home), wiring.remote?.spool ?? null),
    learning: await memory.learning.status(),
    model: machineModel(memory, env),
    incidents: new IncidentFile(memory.choice.home.root).open().incidents,
  };
}

function localStatus({ isOff }: Wiring, root: string): BackendStatus {
  const [name, location] = isOff ? ["off", "nowhere"] : ["local", root];
  return { name, location, waiting: 0, stuck: [], problem: null, nextTry: null };
}

function machineModel({ config, choice }: Memory, env: Surroundings["env"]): MemoryStatus["model"] {
  const { settings } = config;
  const chosen = modelFor("machine", { settings, env, keys: new KeyFile(choice.home.root) });
  if ("none" in chosen) return { name: null, hint: `${chosen.none} ${chosen.hint}`.trimEnd() };
  return { name: `${chosen.spec.provider}/${chosen.spec.model}`, hint: null };
}

/** `inUse` is the directory of the bank in use; null if there is none. */
function waitingElsewhere(spools: string, inUse: string | null): WaitingElsewhere[] {
  return entriesIfThere(spools)
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => join(spools, name))
    .filter((directory) => directory !== inUse)
    .map((directory) => {
      const { pending, refused, damaged } = new EntryFiles(directory).list();
      return { directory, waiting: pending.length + refused.length + damaged.length };
    })
    .filter(({ waiting }) => waiting > 0)
    .sort((one, other) => one.directory.localeCompare(other.directory));
}

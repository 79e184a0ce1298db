/** What a run of `bun run fire` did, for its table; nothing is written down in ordinary tests. */
import { appendFileSync } from "node:fs";

export interface Row {
  readonly what: string;
  readonly runs: number;
  /** Writes that were acknowledged and looked for afterwards. */
  readonly acknowledged?: number;
  readonly lost?: number;
  readonly failures: number;
}

export function report(row: Row): void {
  const { RETAIN_FIRE_REPORT } = process.env;
  if (RETAIN_FIRE_REPORT) appendFileSync(RETAIN_FIRE_REPORT, `${JSON.stringify(row)}\n`);
}

/** A size that `bun run fire` chooses; `ordinary` without it. */
export function sizeOf(variable: "RETAIN_FIRE_ROUNDS" | "RETAIN_FIRE_INPUTS", ordinary: number): number {
  return process.env.RETAIN_FIRE ? Number(process.env[variable] ?? ordinary) : ordinary;
}

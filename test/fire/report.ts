/** Records results for the table of `bun run fire`; does nothing in the normal tests. */
import { appendFileSync } from "node:fs";

export interface Row {
  readonly what: string;
  readonly runs: number;
  /** Acknowledged writes that were checked. */
  readonly acknowledged?: number;
  readonly lost?: number;
  readonly failures: number;
}

export function report(row: Row): void {
  const { RETAIN_FIRE_REPORT } = process.env;
  if (RETAIN_FIRE_REPORT) appendFileSync(RETAIN_FIRE_REPORT, `${JSON.stringify(row)}\n`);
}

/** The size that `bun run fire` sets, else `ordinary`. */
export function sizeOf(variable: "RETAIN_FIRE_ROUNDS" | "RETAIN_FIRE_INPUTS", ordinary: number): number {
  return process.env.RETAIN_FIRE ? Number(process.env[variable] ?? ordinary) : ordinary;
}

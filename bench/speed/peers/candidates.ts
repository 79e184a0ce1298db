/** The candidates: alternatives to Retain that run without a network. */
import type { PackageName } from "./install.ts";
import {
  grepOneShot,
  mnemopiOneShot,
  type OneShot,
  type OneShotSetup,
  qmdOneShot,
  retainOneShot,
  serverMemoryOneShot,
} from "./one-shot.ts";

export interface Candidate {
  readonly name: string;
  /** The file next to this one that fills and queries it in its own process. */
  readonly script: "retain" | "grep" | "qmd" | "mnemopi" | "server-memory";
  readonly mode: string;
  /** null if nothing has to be installed. */
  readonly package: PackageName | null;
  /** null if it has no such command. */
  readonly prepareOneShot: ((setup: OneShotSetup) => Promise<OneShot>) | null;
}

export const CANDIDATES: readonly Candidate[] = [
  {
    name: "Retain, text",
    script: "retain",
    mode: "text",
    package: null,
    prepareOneShot: (setup) => retainOneShot(["--text"], setup),
  },
  {
    name: "Retain, both",
    script: "retain",
    mode: "both",
    package: null,
    prepareOneShot: (setup) => retainOneShot([], setup),
  },
  { name: "grep -ri", script: "grep", mode: "", package: null, prepareOneShot: grepOneShot },
  { name: "qmd, BM25", script: "qmd", mode: "", package: "@tobilu/qmd", prepareOneShot: qmdOneShot },
  {
    name: "mnemopi, text",
    script: "mnemopi",
    mode: "text",
    package: "@oh-my-pi/pi-mnemopi",
    prepareOneShot: mnemopiOneShot,
  },
  {
    name: "mnemopi, hybrid, with Retain's model",
    script: "mnemopi",
    mode: "hybrid",
    package: "@oh-my-pi/pi-mnemopi",
    prepareOneShot: null,
  },
  {
    name: "MCP server-memory",
    script: "server-memory",
    mode: "",
    package: "@modelcontextprotocol/server-memory",
    prepareOneShot: serverMemoryOneShot,
  },
];

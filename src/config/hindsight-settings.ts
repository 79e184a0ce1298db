/** The settings of the Hindsight backend. */
import * as z from "../util/zod.ts";
import { SCOPINGS, setting, turns } from "./setting.ts";
import { httpUrl, variableName } from "./shapes.ts";

const overlap = () => z.int().check(z.minimum(0), z.maximum(1_000));

export const HINDSIGHT_SETTINGS = {
  hindsight_url: setting(
    () => z.union([z.literal(""), httpUrl()]),
    "",
    "The Hindsight server's URL, such as `http://localhost:8888`.",
    "user",
  ),
  hindsight_key_env: setting(
    variableName,
    "HINDSIGHT_API_KEY",
    "The environment variable with the server's key. Config files never contain keys.",
    "user",
  ),
  hindsight_bank: setting(
    () =>
      z
        .string()
        .check(
          z.regex(
            /^[\p{L}\p{N}][\p{L}\p{N}._:-]{0,99}$/u,
            "a bank's name may contain letters, digits, and . _ : -",
          ),
        ),
    "retain",
    "The bank's name on the server; with per-project scoping, the prefix of the names.",
    "user",
  ),
  hindsight_bank_mission: setting(
    () => z.string(),
    "Long-term memory of a person and their agents: preferences, decisions with their reasons, conventions, people, dates.",
    "The bank's mission, sent to the server once. If empty, the server decides.",
    "user",
  ),
  hindsight_scoping: setting(
    () => z.enum(SCOPINGS),
    "per-project-tagged",
    "One bank for all projects (global), one per project (per-project), or one bank with a tag per project (per-project-tagged).",
    "user",
  ),
  hindsight_auto_retain: setting(
    () => z.boolean(),
    true,
    "Send finished turns of conversations to the bank.",
    "user",
  ),
  hindsight_retain_every_n_turns: setting(turns, 3, "Send once every N turns.", "user"),
  hindsight_retain_overlap_turns: setting(
    overlap,
    2,
    "In window mode, how many earlier turns to include.",
    "user",
  ),
  hindsight_retain_mode: setting(
    () => z.enum(["full-session", "window"]),
    "full-session",
    "Send the whole conversation, replacing the copy sent before (full-session), or only the last turns (window).",
    "user",
  ),
  hindsight_retain_context: setting(
    () => z.string(),
    "retain",
    "The source to report for memories that have no other.",
    "user",
  ),
  hindsight_recall_timeout_ms: setting(
    () => z.int().check(z.minimum(1), z.maximum(120_000)),
    2_000,
    "Timeout for recall from the server in ms. After it, recall uses only this machine's memory.",
    "user",
  ),
  hindsight_recall_budget: setting(
    () => z.enum(["low", "mid", "high"]),
    "mid",
    "How thoroughly the server searches.",
    "user",
  ),
  hindsight_recall_max_tokens: setting(
    () => z.int().check(z.minimum(1), z.maximum(1_000_000)),
    1_024,
    "Maximum tokens of memories that the server returns for a query.",
    "user",
  ),
  hindsight_documents: setting(
    () => z.boolean(),
    false,
    "Also send copies of documents to the bank, so that a team can recall them. The files stay authoritative.",
    "user",
  ),
};

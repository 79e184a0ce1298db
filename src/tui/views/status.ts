/** The spinner line, and the status line at the bottom of the screen. */

import { oneLine } from "../ansi/visible.ts";
import type { AppState } from "../app-state.ts";
import type { Busy, ChatState, Status } from "../chat-shape.ts";
import { fit, widthOf } from "../editor/graphemes.ts";
import type { Look } from "./look.ts";

const FRAMES = ["✶", "✸", "✹", "✺", "✹", "✷"];
const FRAME_MS = 120;

const DOING: Readonly<Record<Busy["doing"], string>> = {
  starting: "Starting",
  recalling: "Recalling",
  waiting: "Waiting for the model",
  thinking: "Thinking",
  writing: "Writing",
  working: "Working",
  closing: "Summarising",
};

/** null while idle. */
export function spinnerLine({ chat, now, size }: AppState, { paint }: Look): string | null {
  const { busy } = chat;
  if (busy === null) return null;
  const elapsed = Math.max(0, now - busy.since);
  const frame = FRAMES[Math.floor(elapsed / FRAME_MS) % FRAMES.length] ?? "✶";
  const seconds = Math.floor(elapsed / 1000);
  const details = [...(seconds > 0 ? [`${seconds}s`] : []), ...keyHint(busy, chat.tools.length > 0)].join(
    " · ",
  );
  const what = fit(`${doing(chat, busy, now)}…`, size.columns - 3 - widthOf(details));
  return `${paint(frame, "magenta")} ${fit(`${what} ${paint(details, "dim")}`, size.columns - 2)}`;
}

function doing({ retry, tools }: ChatState, busy: Busy, now: number): string {
  if (busy.isStopping) return "Stopping";
  if (retry !== null) {
    const left = Math.max(0, Math.ceil(retry.seconds - (now - retry.at) / 1000));
    return `Retrying in ${left}s (${retry.attempt} of ${retry.of}): ${oneLine(retry.why)}`;
  }
  return tools.length > 0 ? "Running" : DOING[busy.doing];
}

function keyHint({ doing: what, isStopping }: Busy, runsTool: boolean): string[] {
  if (what === "closing") return ["Ctrl-C to skip"];
  if (what === "starting" || isStopping) return [];
  return runsTool ? ["Ctrl-X to stop only this", "Esc to stop"] : ["Esc to stop"];
}

export function statusLine({ chat, leaveHint, size }: AppState, { paint }: Look): string {
  if (leaveHint) return paint(fit("Press Ctrl-C again to quit", size.columns), "yellow");
  const { status } = chat;
  const parts = statusParts(status, size.columns < 60);
  const kept = parts.filter((_, index) => widthOf(parts.slice(0, index + 1).join(" · ")) <= size.columns - 2);
  const title = status.title === null ? "" : ` · ${oneLine(status.title)}`;
  const line = kept.join(" · ");
  const rest = size.columns - 2 - widthOf(line);
  const named = rest < 12 ? line : line + fit(title, rest);
  return paint(`  ${named}`, "dim") + flags(status, size.columns - 2 - widthOf(named), paint);
}

function statusParts(status: Status, isNarrow: boolean): string[] {
  const { model, contextTokens, contextUsed, recalled, cost, costComplete } = status;
  const name = model === null ? "no model" : isNarrow ? model.slice(model.lastIndexOf("/") + 1) : model;
  return [
    name,
    ...(contextUsed === null ? [] : [contextPart(contextUsed, contextTokens)]),
    ...(recalled === 0 ? [] : [`${recalled} ${recalled === 1 ? "memory" : "memories"}`]),
    ...(cost === null ? [] : [`$${cost.toFixed(4)}${costComplete ? "" : "+"}`]),
  ];
}

function contextPart(used: number, of: number | null): string {
  return of === null || of === 0 ? `context ${used} tokens` : `context ${Math.round((100 * used) / of)}%`;
}

/** Non-default states. */
function flags({ incognito, tools }: Status, room: number, paint: Look["paint"]): string {
  const words = [
    ...(incognito ? ["incognito"] : []),
    ...(tools === null || tools === "ask" ? [] : [`tools: ${tools}`]),
  ];
  const text = words.map((word) => ` · ${word}`).join("");
  return widthOf(text) <= room ? paint(text, "magenta") : "";
}

/** The spinner line, and the status line at the bottom of the screen. */

import { contextInWords, costInWords, DOING } from "../../agent/in-words.ts";
import { oneLine } from "../ansi/visible.ts";
import type { AppState } from "../app-state.ts";
import type { Busy, ChatState, Status } from "../chat-shape.ts";
import { fit, widthOf } from "../editor/graphemes.ts";
import type { Look } from "./look.ts";

/** It breathes slowly, so that it does not draw the eye away from the text. */
const FRAMES = ["·", "✧", "✦", "✧"];
const FRAME_MS = 360;

/** null while idle. */
export function spinnerLine({ chat, now, size }: AppState, { paint }: Look): string | null {
  const { busy } = chat;
  if (busy === null) return null;
  const elapsed = Math.max(0, now - busy.since);
  const frame = FRAMES[Math.floor(elapsed / FRAME_MS) % FRAMES.length] ?? "✦";
  const time = timeShown(Math.floor(elapsed / 1000));
  const what = fit(`${doing(chat, busy, now)}…`, size.columns - 3 - widthOf(time));
  return `${paint(frame, "cyan")} ${what}${time === "" ? "" : ` ${paint(time, "dim")}`}`;
}

function timeShown(seconds: number): string {
  if (seconds < 60) return seconds === 0 ? "" : `${seconds}s`;
  return `${Math.floor(seconds / 60)}m ${seconds % 60}s`;
}

function doing({ retry, tools }: ChatState, busy: Busy, now: number): string {
  if (busy.isStopping) return "Stopping";
  if (retry !== null) {
    const left = Math.max(0, Math.ceil(retry.seconds - (now - retry.at) / 1000));
    return `Retrying in ${left}s (${retry.attempt} of ${retry.of}): ${oneLine(retry.why)}`;
  }
  return tools.length > 0 ? "Running" : DOING[busy.doing];
}

export function statusLine({ chat, size }: AppState, { paint }: Look): string {
  const { status, busy } = chat;
  const parts = busy?.doing === "starting" ? ["…"] : statusParts(status, size.columns < 60);
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
  const shortened = (context: string) => (isNarrow ? context.replace(/% context/, "%") : context);
  return [
    name,
    ...(contextUsed === null ? [] : [shortened(contextInWords(contextUsed, contextTokens))]),
    ...(recalled === 0 ? [] : [`${recalled} ${recalled === 1 ? "memory" : "memories"}`]),
    ...(cost === null ? [] : [costInWords(cost, costComplete)]),
  ];
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

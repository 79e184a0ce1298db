/** What the chat is doing, and quiet figures below the input. */
import { contextInWords, costInWords, DOING } from "../../agent/in-words.ts";
import type { ChatState } from "./state.ts";

interface ActivityProps {
  readonly chat: ChatState;
  readonly isStopping: boolean;
  /** The chat could not be opened. */
  readonly hasFailed: boolean;
}

/** Always there, so that the input doesn't jump. */
export function Activity({ chat, isStopping, hasFailed }: ActivityProps) {
  const { doing } = chat;
  return (
    <div className="activity soft" role="status">
      {doing !== null && !hasFailed && (
        <>
          <span className="pulse" aria-hidden="true" />
          {isStopping ? "Stopping" : activity(chat)}…
        </>
      )}
    </div>
  );
}

function activity({ doing, retry, approval, items }: ChatState): string {
  if (approval !== null) return "Waiting for your approval";
  if (retry !== null) return `Retrying in ${retry.seconds} s (${retry.attempt} of ${retry.of}): ${retry.why}`;
  const isRunning = items.some((item) => item.kind === "tool" && item.state === "running");
  return isRunning ? "Running" : doing === null ? "" : DOING[doing];
}

export function StatusLine({ chat }: { readonly chat: ChatState }) {
  const { model, contextTokens, contextUsed, cost, costComplete, tools } = chat.status;
  const parts = [
    model ?? "no model: answers come from memory",
    ...(contextUsed === null ? [] : [contextInWords(contextUsed, contextTokens)]),
    ...(cost === null ? [] : [costInWords(cost, costComplete)]),
    ...(tools === null || tools === "ask" ? [] : [`tools: ${tools}`]),
  ];
  return <div className="status soft">{chat.isLoaded ? parts.join(" · ") : "…"}</div>;
}

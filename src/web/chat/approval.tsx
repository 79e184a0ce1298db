/**
 * A tool call that waits for the user's answer. It takes the focus from nothing, and the keys that answer it do so only after a pause:
 * what was typed for something else must not allow anything.
 */
import { type FormEvent, useEffect, useId, useRef, useState } from "react";
import { approvalOptions, PAUSE_MS } from "../../agent/choices.ts";
import type { Decision } from "../../agent/tool.ts";
import { InlineCode } from "../ui/inline-code.tsx";
import type { ChatConnection } from "./connection.ts";
import { Preview } from "./preview.tsx";
import type { Approval } from "./state.ts";

interface ApprovalProps {
  readonly approval: Approval;
  readonly connection: ChatConnection;
}

export function ApprovalCard({ approval, connection }: ApprovalProps) {
  const title = useId();
  const [appearedAt] = useState(() => performance.now());
  const typedAt = useRef(0);
  const [isExplaining, setIsExplaining] = useState(false);
  const options = approvalOptions(approval);
  const choose = (decision: Decision | null) => {
    if (decision === null) setIsExplaining(true);
    else connection.answer(approval.id, decision);
  };
  const isOld = (since: number) => performance.now() - since >= PAUSE_MS;
  const onKey = useRef((_: KeyboardEvent) => {});
  onKey.current = (event) => {
    const isPlain = !event.ctrlKey && !event.altKey && !event.metaKey && !event.shiftKey;
    const option = options[Number(event.key) - 1];
    if (
      option !== undefined &&
      isPlain &&
      !isTyping(event.target) &&
      isOld(Math.max(appearedAt, typedAt.current))
    ) {
      event.preventDefault();
      choose(option.decision);
    }
    typedAt.current = performance.now();
  };
  useEffect(() => {
    const listener = (event: KeyboardEvent) => onKey.current(event);
    addEventListener("keydown", listener, true);
    return () => removeEventListener("keydown", listener, true);
  }, []);
  const warnings = [...(approval.outside ? [OUTSIDE] : []), ...(approval.caution ? [approval.caution] : [])];
  return (
    <section className="card approval" aria-labelledby={title}>
      <h2 id={title}>
        Allow: <InlineCode text={approval.summary} />
      </h2>
      {warnings.map((text) => (
        <p key={text} className="warning">
          {text}
        </p>
      ))}
      {approval.preview !== null && <Preview shown={approval.preview} />}
      {isExplaining ? (
        <Reason
          onDeny={(reason) => connection.answer(approval.id, { answer: "deny", ...(reason && { reason }) })}
          onCancel={() => setIsExplaining(false)}
        />
      ) : (
        <div className="row">
          {options.map(({ label, decision }, index) => (
            <button
              key={label}
              type="button"
              className={decision?.answer === "deny" || decision === null ? "danger" : ""}
              // The card may have appeared below the pointer.
              onClick={() => isOld(appearedAt) && choose(decision)}
            >
              <kbd>{index + 1}</kbd> <InlineCode text={label} />
            </button>
          ))}
        </div>
      )}
    </section>
  );
}

const OUTSIDE = "Outside the working directory.";

/** Whether a key belongs to a text that is being typed. An empty input gives its digits to the approval. */
function isTyping(target: EventTarget | null): boolean {
  const isField = target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement;
  return isField && (target.value !== "" || target.name === "reason");
}

function Reason({ onDeny, onCancel }: { onDeny(reason: string): void; onCancel(): void }) {
  const [reason, setReason] = useState("");
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => input.current?.focus(), []);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onDeny(reason.trim());
  };
  return (
    <form className="row" onSubmit={submit}>
      <input
        ref={input}
        name="reason"
        className="grow"
        aria-label="Reason for denying"
        placeholder="Why not? The model will read this."
        value={reason}
        onChange={(event) => setReason(event.target.value)}
        onKeyDown={(event) => {
          if (event.key !== "Escape") return;
          event.preventDefault();
          onCancel();
        }}
      />
      <button type="submit" className="danger">
        Deny
      </button>
      <button type="button" onClick={onCancel}>
        Back
      </button>
    </form>
  );
}

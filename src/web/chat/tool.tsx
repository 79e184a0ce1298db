/** A tool call: what it does, how it ended, and its output, also while it runs. */
import { InlineCode } from "../ui/inline-code.tsx";
import type { ToolItem } from "./items.ts";
import { Preview } from "./preview.tsx";

const STATES = { running: "Running", ok: "Done", failed: "Failed" } as const;

export function ToolView({ tool, onStop }: { readonly tool: ToolItem; onStop(id: string): void }) {
  const { id, summary, state, brief, output } = tool;
  const shown = tool.shown ?? (output === "" ? null : ({ kind: "output", text: output } as const));
  // What a program prints and what a file becomes is for the user; other output is only for the model.
  const isForUser = shown !== null && shown.kind !== "text";
  const title = (
    <>
      <span className={`state ${state}`} aria-hidden="true" />
      <span className="hidden">{STATES[state]}: </span>
      <span className="line">
        <InlineCode text={summary} />
      </span>
      {brief !== "" && <span className="soft brief">{brief}</span>}
    </>
  );
  return (
    <div className="item tool">
      {shown === null ? (
        <div className="title">{title}</div>
      ) : (
        <details open={isForUser}>
          <summary className="title">{title}</summary>
          <Preview shown={shown} />
        </details>
      )}
      {state === "running" && id !== null && output !== "" && (
        <button type="button" className="plain" onClick={() => onStop(id)}>
          Stop this call
        </button>
      )}
    </div>
  );
}

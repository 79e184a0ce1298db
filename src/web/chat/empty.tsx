/** Suggestions for an empty chat. */
import { command } from "../../core/hint.ts";
import type { ChatState } from "./state.ts";

export function Empty({ chat }: { readonly chat: ChatState }) {
  return (
    <div className="empty column">
      <h2>{chat.incognito ? "An incognito chat" : "Talk to your memory"}</h2>
      {chat.incognito ? (
        <p>Nothing from this conversation is stored. Existing memory is still used.</p>
      ) : (
        <ul>
          <li>
            Save a fact: <code>remember that I review pull requests in the morning</code>
          </li>
          <li>
            Ask about what you saved: <code>when do I review pull requests?</code>
          </li>
          <li>
            Type <kbd>/</kbd> for commands: search, review what was learned, undo, choose a model.
          </li>
        </ul>
      )}
      {chat.status.model === null && chat.items.length === 0 && (
        <p className="note">
          No model is set, so answers quote your memory. To have a model write them, run{" "}
          <code>{String(command("model"))}</code> in a terminal or type <code>/model</code> here.
        </p>
      )}
    </div>
  );
}

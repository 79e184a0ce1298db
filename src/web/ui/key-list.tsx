/** The keys of the page, in a dialog. */
import type { KeyHelp } from "../keys.ts";
import { Dialog } from "./dialog.tsx";

interface KeyListProps {
  /** Those without keys are left out. */
  readonly groups: readonly { readonly title: string; readonly keys: readonly KeyHelp[] }[];
  onClose(): void;
}

const SHORT: Readonly<Record<string, string>> = {
  ...{ ArrowUp: "↑", ArrowDown: "↓", PageUp: "Page Up", PageDown: "Page Down", Escape: "Esc" },
};

export function KeyList({ groups, onClose }: KeyListProps) {
  return (
    <Dialog title="Keys" onClose={onClose}>
      <div className="column">
        {groups.map(
          ({ title, keys }) =>
            keys.length > 0 && (
              <section key={title}>
                <h3>{title}</h3>
                <dl className="keys">
                  {keys.map((key) => (
                    <div key={key.what}>
                      <dt>
                        {key.keys.map((name) => (
                          <kbd key={name}>{SHORT[name] ?? name}</kbd>
                        ))}
                      </dt>
                      <dd>{key.what}</dd>
                    </div>
                  ))}
                </dl>
              </section>
            ),
        )}
      </div>
    </Dialog>
  );
}

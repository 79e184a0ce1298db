/** The keys of the page, in a dialog. */
import type { KeyHelp } from "../keys.ts";
import { Dialog } from "./dialog.tsx";

export interface KeyListProps {
  readonly groups: readonly (readonly [title: string, keys: readonly KeyHelp[]])[];
  onClose(): void;
}

export function KeyList({ groups, onClose }: KeyListProps) {
  return (
    <Dialog title="Keys" onClose={onClose}>
      <div className="column">
        {groups.map(([title, keys]) => (
          <section key={title}>
            <h3>{title}</h3>
            <dl className="keys">
              {keys.map((key) => (
                <div key={key.what}>
                  <dt>
                    {key.keys.map((name) => (
                      <kbd key={name}>{name}</kbd>
                    ))}
                  </dt>
                  <dd>{key.what}</dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </Dialog>
  );
}

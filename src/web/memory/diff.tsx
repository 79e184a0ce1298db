/** Hunks of a diff. The sign of each line, not only its colour, says whether it was added or removed. */
import { structuredPatch } from "diff";
import type { Answer } from "../../serve/page/table.ts";
import "./diff.css";

type Hunk = Answer<"document-diff">["hunks"][number];

export function hunksBetween(before: string, after: string): Hunk[] {
  return structuredPatch("", "", before, after, undefined, undefined, { context: 3 }).hunks.map((hunk) => ({
    ...{ old_start: hunk.oldStart, old_lines: hunk.oldLines },
    ...{ new_start: hunk.newStart, new_lines: hunk.newLines, lines: hunk.lines },
  }));
}

const SIGNS: Readonly<Record<string, { readonly name: string; readonly label: string }>> = {
  "+": { name: "added", label: "Added: " },
  "-": { name: "removed", label: "Removed: " },
};

export function Diff({ hunks }: { readonly hunks: readonly Hunk[] }) {
  if (hunks.length === 0) return <p className="soft">No difference.</p>;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a long line scrolls sideways, by keyboard too
    <section className="diff" aria-label="Changes" tabIndex={0}>
      {hunks.map((hunk) => (
        <ol key={`${hunk.old_start} ${hunk.new_start}`}>
          <li className="position">
            Line {hunk.old_start} → {hunk.new_start}
          </li>
          {hunk.lines.map((line, index) => {
            const sign = SIGNS[line[0] ?? ""];
            return (
              <li key={index} className={sign?.name}>
                <span className="hidden">{sign?.label}</span>
                <span aria-hidden="true">{(line[0] ?? " ").replace("-", "−")}</span> {line.slice(1)}
              </li>
            );
          })}
        </ol>
      ))}
    </section>
  );
}

/** What is recalled most, and what never was. */

import type { Answer } from "../../serve/page/table.ts";
import { localDay } from "../../util/days.ts";
import { plural } from "../../util/in-words.ts";
import { truncate } from "../../util/text.ts";
import { linkTo } from "../route.ts";

type Counts = Answer<"overview">["recalls"];

export function Recalls({ recalls: { most, never, oldestNever } }: { readonly recalls: Counts }) {
  return (
    <>
      <section className="panel column" aria-labelledby="most">
        <h2 id="most">Recalled most</h2>
        {most.length === 0 ? (
          <p className="soft">
            No facts or documents have been recalled yet. Chats and agents' queries recall them.
          </p>
        ) : (
          <Memories memories={most} noteOf={({ count }) => `${count}×`} />
        )}
      </section>
      <section className="panel column" aria-labelledby="never">
        <h2 id="never">Never recalled</h2>
        {never === 0 ? (
          <p className="soft">
            {most.length === 0
              ? "There are no facts or documents yet."
              : "None: every fact and document has been recalled at least once."}
          </p>
        ) : (
          <>
            <div className="soft">
              {plural(never, "fact or document", "facts and documents")}
              {never > oldestNever.length && "; the oldest"}
            </div>
            <Memories memories={oldestNever} noteOf={({ at }) => localDay(at)} />
          </>
        )}
      </section>
    </>
  );
}

type Memory = Counts["most"][number];

const LONGEST_TEXT = 120;

function Memories({
  memories,
  noteOf,
}: {
  readonly memories: readonly Memory[];
  noteOf(memory: Memory): string;
}) {
  return (
    <ul className="plain">
      {memories.map((memory) => (
        <li key={`${memory.kind} ${memory.source}`} className="recalled">
          <a href={linkTo(["memory", memory.source])}>{truncate(memory.text, LONGEST_TEXT)}</a>
          <span className="soft">{noteOf(memory)}</span>
        </li>
      ))}
    </ul>
  );
}

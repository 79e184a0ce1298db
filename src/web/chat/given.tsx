/** What a reply was based on: the memories, with how well each matched the message, and the other parts of the context. */
import { useState } from "react";
import type { GivenPart } from "../../core/sessions/conversation.ts";
import { plural } from "../../util/in-words.ts";
import { linkTo } from "../route.ts";
import { Failure } from "../ui/failure.tsx";
import { useCall } from "../use-call.ts";

export function Given({ parts }: { readonly parts: readonly GivenPart[] }) {
  const [isOpen, setIsOpen] = useState(false);
  const memories = parts.flatMap(({ memories: names = [], scores = [] }) =>
    names.map((name, index) => ({ name, score: scores[index] ?? null })),
  );
  return (
    <details className="item given soft" onToggle={(event) => setIsOpen(event.currentTarget.open)}>
      <summary>{plural(memories.length, "memory", "memories")} used</summary>
      {isOpen && <Memories memories={memories} parts={parts} />}
    </details>
  );
}

interface MemoriesProps {
  readonly memories: readonly { readonly name: string; readonly score: number | null }[];
  readonly parts: readonly GivenPart[];
}

function Memories({ memories, parts }: MemoriesProps) {
  const { data, error } = useCall("memories-named", { names: memories.map(({ name }) => name) });
  const texts = new Map(data?.map(({ name, text }) => [name, text]));
  const others = parts.filter(({ memories: names = [] }) => names.length === 0);
  return (
    <>
      {error !== null && <Failure error={error} />}
      <ul>
        {memories.map(({ name, score }) => (
          <li key={name}>
            <span className="score" title="How well it matched your message">
              {score === null ? "" : score.toFixed(2)}
            </span>
            <a href={linkTo(["memory", name.slice(name.indexOf(" ") + 1)])}>{texts.get(name) ?? name}</a>
            <span className="tag">{name.split(" ", 1)}</span>
          </li>
        ))}
      </ul>
      {others.length > 0 && (
        <p>Also given: {others.map(({ title, tokens }) => `${title} (${tokens} tokens)`).join(", ")}</p>
      )}
    </>
  );
}

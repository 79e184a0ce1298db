/** Mental models: standing questions, with their current answers. They are changed in a terminal. */
import { matcher } from "../../agent/choices.ts";
import { command, slot } from "../../core/hint.ts";
import type { Answer } from "../../serve/page/table.ts";
import { plural } from "../../util/in-words.ts";
import { CommandText } from "../ui/command-text.tsx";
import { Failure } from "../ui/failure.tsx";
import { Markdown } from "../ui/markdown.tsx";
import { moment } from "../ui/when.ts";
import { useCall } from "../use-call.ts";
import type { MemoryQuery } from "./query.ts";

export function MentalModels({ query: { q, scope, tag } }: { readonly query: MemoryQuery }) {
  const { data, error } = useCall("mental-models", {});
  const matches = matcher(q);
  const found = data
    ?.filter(({ origin }) => scope === "" || origin === scope)
    .filter(({ tags }) => tag === "" || tags.includes(tag))
    .filter(({ name, question, answer }) => matches(`${name} ${question} ${answer}`));
  return (
    <>
      <p className="count soft" role="status">
        {found === undefined ? "Loading…" : plural(found.length, "mental model")}
      </p>
      <div className="mental-models">
        {error !== null && <Failure error={error} />}
        {data?.length === 0 && (
          <p className="nothing">
            A mental model is a question whose answer is kept up to date and put into every chat. Add one in a
            terminal: <CommandText line={command("mental-models add", slot("name"), slot("question"))} />
          </p>
        )}
        {found?.map((model) => (
          <MentalModel key={`${model.origin} ${model.name}`} model={model} />
        ))}
      </div>
    </>
  );
}

function MentalModel({ model }: { readonly model: Answer<"mental-models">[number] }) {
  const { name, question, answer, problem, state, refreshed_at, path } = model;
  return (
    <details className="mental-model">
      <summary>
        {question || name} <span className="soft">{question !== "" && name}</span>
      </summary>
      {problem !== null && <p className="note error">{problem}</p>}
      {answer === "" ? <p className="soft">No answer yet.</p> : <Markdown text={answer} />}
      <p className="soft">
        {state}
        {refreshed_at !== null && `, ${moment(refreshed_at)}`} · {path}
      </p>
    </details>
  );
}

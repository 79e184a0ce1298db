/** Incidents, pending work, and what background work did and cost. */
import { command, option } from "../../core/hint.ts";
import type { Answer } from "../../serve/page/table.ts";
import { dollars, plural } from "../../util/in-words.ts";
import { CommandText } from "../ui/command-text.tsx";
import { moment } from "../ui/when.ts";

type Status = Answer<"status">;

export function Health({ status, waiting }: { readonly status: Status; readonly waiting: number }) {
  const { incidents } = status;
  const pending = pendingIn(status, waiting);
  return (
    <section className="panel column" aria-labelledby="health">
      <h2 id="health">Health</h2>
      {incidents.length === 0 ? (
        <p className="good">No incidents.</p>
      ) : (
        <>
          <ul>
            {incidents.map(({ id, at, what, todo }) => (
              <li key={id} className="bad">
                {what} <span className="soft">{moment(at)}</span>
                <div className="soft">{todo}</div>
              </li>
            ))}
          </ul>
          <p>
            Once you have dealt with them: <CommandText line={command("doctor", option("acknowledge"))} />
          </p>
        </>
      )}
      {pending.length === 0 ? (
        <p className="good">Nothing is pending.</p>
      ) : (
        <ul>
          {pending.map((line) => (
            <li key={line}>{line}</li>
          ))}
        </ul>
      )}
    </section>
  );
}

function pendingIn({ backend, vectors, elsewhere }: Status, waiting: number): string[] {
  const refused = backend.stuck.length;
  const elsewhereCount = elsewhere.reduce((sum, one) => sum + one.waiting, 0);
  return [
    ...(waiting === 0
      ? []
      : [`${plural(waiting, "passage")} not embedded yet: found by keyword search only.`]),
    ...(backend.waiting === 0 ? [] : [`${memories(backend.waiting)} to send to ${backend.location}.`]),
    ...(refused === 0 ? [] : [`${memories(refused)} that the server refused.`]),
    ...(backend.problem === null ? [] : [backend.problem]),
    ...vectors.flatMap(({ toSend, toDelete, problem }) => [
      ...(toSend === 0 ? [] : [`${memories(toSend)} to upload to the hosted index.`]),
      ...(toDelete === 0 ? [] : [`${memories(toDelete)} to delete from the hosted index.`]),
      ...(problem === null ? [] : [problem]),
    ]),
    ...(elsewhereCount === 0 ? [] : [`${memories(elsewhereCount)} for banks that are not in use here.`]),
  ];
}

function memories(count: number): string {
  return plural(count, "memory", "memories");
}

interface BackgroundProps {
  readonly status: Status;
  readonly background: Answer<"overview">["background"];
}

export function Background({ status: { learning, model }, background: { days, spent } }: BackgroundProps) {
  const { today, limit, pending, limit_reached: isLimitReached, failure } = learning;
  return (
    <section className="panel column" aria-labelledby="background">
      <h2 id="background">Background work</h2>
      {learning.model === null ? (
        <p className="soft">
          Learning is off: no model reads your conversations. Turn it on:{" "}
          <CommandText line={command("model learning")} />
        </p>
      ) : (
        <dl className="pairs">
          <dt>Learning</dt>
          <dd>{learning.model}</dd>
          <dt>Today</dt>
          <dd>
            {work(today)}, {dollars(today.cost)} of {dollars(limit)}
            {isLimitReached && ": the limit is reached, the rest is read tomorrow"}
          </dd>
          <dt>Pending</dt>
          <dd>
            {pending.turns === 0
              ? "nothing"
              : `${plural(pending.turns, "turn")} in ${plural(pending.sessions, "session")}`}
          </dd>
          {failure !== null && (
            <>
              <dt>Last failure</dt>
              <dd className="bad">
                {failure.problem} <span className="soft">{moment(failure.at)}</span>
              </dd>
            </>
          )}
        </dl>
      )}
      <dl className="pairs">
        <dt>{days} days</dt>
        <dd>
          {work(spent)}, {dollars(spent.cost)}
        </dd>
        <dt>Model for tools</dt>
        <dd>{model.name ?? "none"}</dd>
      </dl>
    </section>
  );
}

function work({ calls, facts, input_tokens, output_tokens }: Status["learning"]["today"]): string {
  const tokens = (input_tokens + output_tokens).toLocaleString("en");
  return `${plural(calls, "call")}, ${plural(facts, "fact")}, ${tokens} tokens`;
}

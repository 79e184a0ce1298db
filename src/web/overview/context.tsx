/** What the last context was made of: a bar of its parts, and a list. */

import type { Answer } from "../../serve/page/table.ts";
import { plural } from "../../util/in-words.ts";
import { linkTo } from "../route.ts";
import { moment } from "../ui/when.ts";

type Context = NonNullable<Answer<"overview">["context"]>;

/** How many colours there are. */
const COLOURS = 6;

export function LastContext({ context }: { readonly context: Context | null }) {
  return (
    <section className="panel column wide" aria-labelledby="context">
      <h2 id="context">The last context</h2>
      {context === null ? (
        <p className="soft">
          Each reply in a <a href={linkTo(["chat"])}>chat</a> gets a context from memory. There are no replies
          yet.
        </p>
      ) : (
        <Parts context={context} />
      )}
    </section>
  );
}

function Parts({ context: { session, message, at, model, parts } }: { readonly context: Context }) {
  const sum = parts.reduce((total, { tokens }) => total + tokens, 0);
  return (
    <>
      <div className="soft">
        {plural(sum, "token")} of instructions and memory for{" "}
        <a href={linkTo(["sessions", session.id], { origin: session.origin, message: String(message) })}>
          {session.title ?? session.id}
        </a>
        , {moment(at)}, {model ?? "without a model"}
      </div>
      <div className="stack" aria-hidden="true">
        {parts.map(({ name, title, tokens }, index) => (
          <i
            key={`${name} ${title}`}
            className={`part-${index % COLOURS}`}
            title={`${title}: ${tokens}`}
            style={{ flexGrow: tokens }}
          />
        ))}
      </div>
      <ul className="plain parts">
        {parts.map(({ name, title, tokens, memories = [] }, index) => (
          <li key={`${name} ${title}`}>
            <div className="row">
              <i className={`part-${index % COLOURS}`} />
              <span>{title}</span>
              <span className="soft end">
                {plural(tokens, "token")}, {Math.round((100 * tokens) / Math.max(1, sum))}%
              </span>
            </div>
            {memories.length > 0 && (
              <div className="soft about memories">
                {memories.map((memory) => (
                  <a key={memory} href={linkTo(["memory", memory.slice(memory.indexOf(" ") + 1)])}>
                    {memory}
                  </a>
                ))}
              </div>
            )}
          </li>
        ))}
      </ul>
    </>
  );
}

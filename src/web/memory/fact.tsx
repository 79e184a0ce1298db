/** A fact: its text, its source, and what it replaced or what replaced it. */
import { type ReactNode, useState } from "react";
import { endDay } from "../../core/facts/fact.ts";
import { isInferredFile } from "../../core/facts/memory-paths.ts";
import { localDay } from "../../util/days.ts";
import { call } from "../api.ts";
import { PAIR_CHOICES } from "../review/keys.ts";
import { go, linkTo } from "../route.ts";
import { Failure } from "../ui/failure.tsx";
import { toast } from "../ui/toast.tsx";
import { useAction } from "../use-action.ts";
import { attempt, decide, end, withdraw } from "./changes.ts";
import { clearDraft, draftOf, storeDraft, useDraft } from "./draft.ts";
import type { Opened } from "./opened-memory.ts";
import { onSaveKey, useFieldFocus } from "./save-form.ts";
import { SourceMessage } from "./source-message.tsx";

type OpenedFact = Opened<"fact">;
type Fact = OpenedFact["provenance"]["fact"];

interface FactReaderProps {
  readonly opened: OpenedFact;
  readonly forget: ReactNode;
}

export function FactReader({ opened, forget }: FactReaderProps) {
  const { fact, origin, message, around } = opened.provenance;
  const [isEditing, setIsEditing] = useState(() => draftOf(draftName(fact)) !== null);
  const isUnconfirmed = isInferredFile(fact.file);
  const hasEnded = fact.ended_at !== null;
  return (
    <>
      <header>
        <h2>{isEditing ? "Edit fact" : fact.text}</h2>
        <div className="row">
          {!hasEnded && !isEditing && (
            <button type="button" onClick={() => setIsEditing(true)}>
              Edit
            </button>
          )}
          {isUnconfirmed && !hasEnded && (
            <button type="button" onClick={() => attempt(call("fact-confirm", { id: fact.id }))}>
              Confirm
            </button>
          )}
          <button type="button" onClick={() => (hasEnded ? withdraw(fact.id) : end(fact.id))}>
            {hasEnded ? "Bring back" : "End"}
          </button>
          {forget}
        </div>
      </header>
      {isEditing && <FactEditor fact={fact} onDone={() => setIsEditing(false)} />}
      <p className="soft row">
        <span>Fact, {origin === "home" ? "home" : "project"}</span>
        {isUnconfirmed && <span className="tag">unconfirmed</span>}
        {hasEnded && <span className="tag">ended</span>}
        {fact.source.tags.map((tag) => (
          <span key={tag} className="tag">
            {tag}
          </span>
        ))}
      </p>
      {opened.doubts.map((pair) => (
        <InDoubt key={pair.newer.id} fact={fact} pair={pair} />
      ))}
      <section aria-labelledby="source">
        <h3 id="source">Where it comes from</h3>
        {message !== null ? (
          <SourceMessage message={message} around={around} session={opened.session} />
        ) : (
          <p>
            {writtenBy(fact)}, {localDay(fact.created_at)}.
            {fact.source.message !== null && " The source message no longer exists."}
          </p>
        )}
      </section>
      <History provenance={opened.provenance} />
      <dl>
        <dt>File</dt>
        <dd>
          memories/{fact.file}, {fact.category}
        </dd>
        <dt>Trust</dt>
        <dd>{isUnconfirmed ? "unconfirmed" : fact.source.trust}</dd>
        {fact.key !== null && (
          <>
            <dt>Key</dt>
            <dd>{fact.key}</dd>
          </>
        )}
        {fact.until !== null && (
          <>
            <dt>Last day</dt>
            <dd>{fact.until}</dd>
          </>
        )}
        <dt>Id</dt>
        <dd>
          <code>{fact.id}</code>
        </dd>
      </dl>
    </>
  );
}

interface InDoubtProps {
  readonly fact: Fact;
  readonly pair: OpenedFact["doubts"][number];
}

function InDoubt({ fact, pair }: InDoubtProps) {
  const isOlder = pair.older.id === fact.id;
  const { id, text } = isOlder ? pair.newer : pair.older;
  return (
    <section className="note warning column" aria-label="In doubt">
      <div>
        {isOlder ? "May be outdated by" : "May replace"}: <a href={linkTo(["memory", id])}>{text}</a>
      </div>
      <div className="row">
        {PAIR_CHOICES.map((choice) => (
          <button
            key={choice.decision}
            type="button"
            title={choice.detail}
            onClick={() => decide(pair, choice)}
          >
            {choice.label}
          </button>
        ))}
      </div>
    </section>
  );
}

function writtenBy({ source: { by, session } }: Fact): string {
  const how = by === "hand" ? "Written by hand" : `Saved by ${by}`;
  return session === null ? how : `${how}, in session ${session}`;
}

function History({ provenance: { fact, before, after } }: { readonly provenance: OpenedFact["provenance"] }) {
  if (before.length === 0 && after === null && fact.ended_at === null) return null;
  return (
    <section aria-labelledby="history">
      <h3 id="history">History</h3>
      <ol className="timeline">
        {after !== null && (
          <li>
            <Period fact={after} />
            <a href={linkTo(["memory", after.id])}>{after.text}</a>
            <div className="soft">Replaced this fact{after.because !== null && `: ${after.because}`}</div>
          </li>
        )}
        <li aria-current="true">
          <Period fact={fact} />
          <strong>{fact.text}</strong>
          {fact.ended_at !== null && after === null && <div className="soft">{endOf(fact)}</div>}
          {fact.because !== null && <div className="soft">Because {fact.because}</div>}
        </li>
        {before.map((old) => (
          <li key={old.id}>
            <Period fact={old} />
            <a href={linkTo(["memory", old.id])}>{old.text}</a>
            <div className="soft">Replaced</div>
          </li>
        ))}
      </ol>
    </section>
  );
}

function endOf({ until, ended_at }: Fact): string {
  return until !== null && localDay(ended_at ?? "") >= until ? "Its last day has passed" : "Removed";
}

function Period({ fact: { created_at, ended_at, until } }: { readonly fact: Fact }) {
  return (
    <div className="soft">
      <time dateTime={created_at}>{localDay(created_at)}</time>
      {" – "}
      {ended_at === null ? "now" : <time dateTime={ended_at}>{endDay({ ended_at, until })}</time>}
    </div>
  );
}

function draftName({ id }: Pick<Fact, "id">): string {
  return `fact ${id}`;
}

function FactEditor({ fact, onDone }: { readonly fact: Fact; onDone(): void }) {
  const name = draftName(fact);
  const [typed, setDraft] = useDraft(name);
  const draft = typed ?? { text: fact.text, etag: fact.id };
  const { run, error, isBusy } = useAction();
  const field = useFieldFocus();
  const leave = () => {
    clearDraft(name);
    onDone();
  };
  const save = () =>
    run(async () => {
      const { action, after } = await call("fact-edit", { id: fact.id, text: draft.text });
      const typed = draftOf(name) ?? draft;
      leave();
      // The new fact opens with what was typed since.
      if (typed.text !== draft.text) storeDraft(draftName(after), { text: typed.text, etag: after.id });
      if (action === "unchanged") return;
      toast({
        message: "Fact changed.",
        action: {
          label: "Undo",
          run: async () => {
            await withdraw(after.id);
            go(linkTo(["memory", fact.id]));
          },
        },
      });
      go(linkTo(["memory", after.id]));
    });
  return (
    <div className="column">
      <textarea
        ref={field}
        aria-label="Text of the fact"
        rows={3}
        value={draft.text}
        onChange={(event) => setDraft({ ...draft, text: event.target.value })}
        onKeyDown={onSaveKey(save)}
      />
      {error !== null && <Failure error={error} />}
      <div className="row">
        <button type="button" className="main" disabled={isBusy || draft.text.trim() === ""} onClick={save}>
          Save
        </button>
        <button type="button" onClick={leave}>
          Cancel
        </button>
        <span className="soft">The old text stays in the fact's history.</span>
      </div>
    </div>
  );
}

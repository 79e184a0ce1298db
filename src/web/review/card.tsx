/** One decision: two facts, or an unconfirmed one, with where they come from. */
import { type FormEvent, type KeyboardEvent, useEffect, useRef, useState } from "react";
import { localDay } from "../../util/days.ts";
import { truncate } from "../../util/text.ts";
import { linkTo } from "../route.ts";
import { moment } from "../ui/when.ts";
import { useCall } from "../use-call.ts";
import { type Choice, EDIT, SKIP } from "./keys.ts";
import type { Card } from "./queue.ts";

interface ReviewCardProps {
  readonly card: Card;
  readonly choices: readonly Choice[];
  readonly isBusy: boolean;
  readonly isEditing: boolean;
  onChoose(choice: Choice): void;
  onSkip(): void;
  onEdit(isEditing: boolean): void;
  onSave(text: string): void;
}

export function ReviewCard(props: ReviewCardProps) {
  const { card, choices, isBusy, isEditing, onChoose, onSkip, onEdit, onSave } = props;
  const title = card.kind === "pair" ? "Which is true now?" : "Is this true?";
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    // The button that decided about the last card is gone, and the focus with it.
    if (document.activeElement === document.body) heading.current?.focus();
  }, []);
  return (
    <section className="panel column review" aria-label={title}>
      <h2 ref={heading} tabIndex={-1}>
        {title}
      </h2>
      {card.kind === "pair" ? (
        <div className="pair">
          <ShownFact fact={card.pair.newer} origin={card.pair.origin} name="Newer" />
          <ShownFact fact={card.pair.older} origin={card.pair.origin} name="Older" />
        </div>
      ) : isEditing ? (
        <EditFact text={card.fact.text} isBusy={isBusy} onSave={onSave} onCancel={() => onEdit(false)} />
      ) : (
        <ShownFact fact={card.fact} origin={card.fact.origin} name={null} />
      )}
      {!isEditing && (
        <div className="row">
          {choices.map((choice) => (
            <button
              key={choice.key}
              type="button"
              title={choice.detail}
              disabled={isBusy}
              onClick={() => onChoose(choice)}
            >
              {choice.label} <kbd>{choice.key}</kbd>
            </button>
          ))}
          {card.kind === "fact" && (
            <button type="button" disabled={isBusy} onClick={() => onEdit(true)}>
              Edit <kbd>{EDIT}</kbd>
            </button>
          )}
          <button type="button" className="plain" disabled={isBusy} onClick={onSkip}>
            Skip <kbd>{SKIP}</kbd>
          </button>
        </div>
      )}
    </section>
  );
}

type Fact = Extract<Card, { kind: "pair" }>["pair"]["newer"];

interface ShownFactProps {
  readonly fact: Fact;
  readonly origin: "project" | "home";
  /** Of two facts. */
  readonly name: string | null;
}

const LONGEST_SOURCE = 600;

function ShownFact({ fact, origin, name }: ShownFactProps) {
  const { id, text, created_at, category, source, chat } = fact;
  const { data } = useCall("review-source", source.message === null ? null : { id });
  const about = [
    localDay(created_at),
    origin,
    category,
    ...(chat === null ? [] : [`chat ${chat}`]),
    ...source.tags,
  ];
  return (
    <div className="fact">
      <div className="soft about">
        {name !== null && <strong>{name} · </strong>}
        {about.join(" · ")}
      </div>
      <p className="text">{text}</p>
      {data && (
        <blockquote>
          <div className="soft about">
            {data.speaker ?? (data.role === "user" ? "You" : "Assistant")}, {moment(data.at)}
          </div>
          {truncate(data.text, LONGEST_SOURCE)}
        </blockquote>
      )}
      <div className="soft about">
        {source.session === null ? (
          `Saved by ${source.by}`
        ) : (
          <a
            href={linkTo(["sessions", source.session], {
              origin,
              message: source.message === null ? "" : String(source.message),
            })}
          >
            Open the conversation
          </a>
        )}
      </div>
    </div>
  );
}

interface EditFactProps {
  readonly text: string;
  readonly isBusy: boolean;
  onSave(text: string): void;
  onCancel(): void;
}

/** Enter saves, since a fact is one sentence. */
function EditFact({ text, isBusy, onSave, onCancel }: EditFactProps) {
  const [typed, setTyped] = useState(text);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onSave(typed);
  };
  const press = (event: KeyboardEvent) => {
    if (event.key === "Escape") onCancel();
    if (event.key !== "Enter" || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    if (typed.trim() !== "") onSave(typed);
  };
  return (
    <form className="column" onSubmit={submit}>
      <textarea
        aria-label="Fact"
        rows={3}
        // biome-ignore lint/a11y/noAutofocus: the user has just asked to type here
        autoFocus
        value={typed}
        readOnly={isBusy}
        onChange={(event) => setTyped(event.target.value)}
        onKeyDown={press}
      />
      <div className="row">
        <button type="submit" className="main" disabled={isBusy || typed.trim() === ""}>
          Save and confirm
        </button>
        <button type="button" onClick={onCancel}>
          Cancel
        </button>
      </div>
    </form>
  );
}

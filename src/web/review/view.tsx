/** Review: pairs in doubt and unconfirmed facts, one at a time, with one key for each decision. */

import { useEffect, useMemo, useState } from "react";
import { command } from "../../core/hint.ts";
import type { Answer } from "../../serve/page/table.ts";
import { plural } from "../../util/in-words.ts";
import { call } from "../api.ts";
import { useKeys } from "../keys.ts";
import { CommandText } from "../ui/command-text.tsx";
import { Failure } from "../ui/failure.tsx";
import { Title } from "../ui/title.tsx";
import { useAction } from "../use-action.ts";
import { useCall } from "../use-call.ts";
import { ReviewCard } from "./card.tsx";
import { type Choice, EDIT, FACT_CHOICES, PAIR_CHOICES, SKIP, UNDO } from "./keys.ts";
import { answered, type Card, cardsOf, decided, EMPTY_QUEUE, restarted, skipped, undone } from "./queue.ts";
import "./review.css";

interface Done {
  readonly card: Card;
  /** "Confirmed: The office is in Lyon" */
  readonly text: string;
  readonly undo: Decided["undo"];
}

type Decided = Answer<"review-confirm">;

export function ReviewView() {
  const { data, error, reload } = useCall("review", {});
  const cards = useMemo(() => (data === null ? [] : cardsOf(data)), [data]);
  const [queue, setQueue] = useState(EMPTY_QUEUE);
  const [done, setDone] = useState<readonly Done[]>([]);
  const [isEditing, setIsEditing] = useState(false);
  const action = useAction();
  useEffect(() => setQueue((before) => answered(before, cards)), [cards]);
  const { card, isSettled } = queue;
  const last = done.at(-1);
  const isGone = card !== null && !isSettled && !action.isBusy && !cards.some(({ key }) => key === card.key);

  const finish = async (of: Card, what: string, ask: () => Promise<Decided>) => {
    const isDone = await action.run(async () => {
      const { undo, restored } = await ask();
      const text = [`${what}: ${textOf(of)}`, ...restored.map((fact) => `Restored: ${fact}`)].join(" · ");
      setDone((before) => [...before, { card: of, text, undo }]);
    });
    if (!isDone) return;
    setIsEditing(false);
    setQueue(decided);
    void reload();
  };
  const decide = (choice: Choice) => {
    if (card === null || isSettled) return;
    void finish(card, choice.done, () => asked(card, choice));
  };
  const skip = () => {
    setIsEditing(false);
    setQueue((before) => skipped(before, cards));
  };
  const undo = () => {
    const change = last?.undo;
    if (last === undefined || !change) return;
    void action.run(async () => {
      await call("undo", change);
      setDone((before) => before.slice(0, -1));
      setQueue((before) => undone(before, last.card.key));
      void reload();
    });
  };
  useKeys((key) => {
    if (isEditing || action.isBusy) return false;
    const choice = card === null || isGone ? undefined : choicesOf(card).find((one) => one.key === key);
    if (choice !== undefined) decide(choice);
    else if (key === SKIP && card !== null) skip();
    else if (key === EDIT && card?.kind === "fact" && !isGone) setIsEditing(true);
    else if (key === UNDO && last !== undefined) undo();
    else return false;
    return true;
  });

  const left = cards.filter(({ key }) => !queue.passed.has(key)).length;
  return (
    <div className="view column">
      <div className="row">
        <Title>Review</Title>
        {left > 0 && <span className="soft end">{left} left</span>}
      </div>
      {error !== null && <Failure error={error} />}
      {data !== null && cards.length === 0 && card === null && <NothingToReview />}
      {card === null && cards.length > 0 && (
        <div className="panel row">
          <span>You skipped {plural(cards.length, "decision")}.</span>
          <button type="button" onClick={() => setQueue(restarted(cards))}>
            Show them again
          </button>
        </div>
      )}
      {isGone && (
        <div className="note warning row" role="status">
          This changed elsewhere in the meantime.
          <button type="button" onClick={skip}>
            Next <kbd>{SKIP}</kbd>
          </button>
        </div>
      )}
      <div aria-live="polite">
        {card !== null && !isGone && (
          <ReviewCard
            key={card.key}
            card={card}
            choices={choicesOf(card)}
            isBusy={action.isBusy || isSettled}
            isEditing={isEditing}
            onChoose={decide}
            onSkip={skip}
            onEdit={setIsEditing}
            onSave={(text) =>
              card.kind === "fact" &&
              finish(card, "Edited and confirmed", () => call("review-edit", { id: card.fact.id, text }))
            }
          />
        )}
      </div>
      {action.error !== null && <Failure error={action.error} />}
      <div role="status">
        {last !== undefined && (
          <div className="note row">
            <span className="grow">{last.text}</span>
            {last.undo && (
              <button type="button" onClick={undo} disabled={action.isBusy}>
                Undo <kbd>{UNDO}</kbd>
              </button>
            )}
          </div>
        )}
      </div>
    </div>
  );
}

function choicesOf(card: Card): readonly Choice[] {
  return card.kind === "pair" ? PAIR_CHOICES : FACT_CHOICES;
}

function asked(card: Card, { decision }: Choice): Promise<Decided> {
  const id = card.kind === "pair" ? card.pair.id : card.fact.id;
  if (decision === "confirm") return call("review-confirm", { id });
  if (decision === "reject") return call("review-reject", { id });
  return call("review-decide", { id, decision });
}

function textOf(card: Card): string {
  return card.kind === "pair" ? card.pair.newer.text : card.fact.text;
}

function NothingToReview() {
  return (
    <div className="panel column">
      <p>Nothing to review. Two things appear here:</p>
      <ul>
        <li>
          <strong>Unconfirmed facts</strong>, which a model found in your conversations. They count less than
          what you saved yourself until you confirm them. Learning is off until you choose a model:{" "}
          <CommandText line={command("model learning")} />
        </li>
        <li>
          <strong>Pairs in doubt</strong>: a new fact may replace an older one, but Retain can't tell. Both
          stay until you decide.
        </li>
      </ul>
    </div>
  );
}

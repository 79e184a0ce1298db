/** The one box over everything, with its filters. What is typed goes into the address after a short pause. */
import { type KeyboardEvent, type RefObject, useEffect, useRef, useState } from "react";
import type { Answer } from "../../serve/page/table.ts";
import { SEARCH } from "../keys.ts";
import { replace } from "../route.ts";
import { type Asked, filterCount, KINDS, linkOf, SCOPES, type Selected, STATES } from "./asked.ts";
import { LEAVE, TO_LIST } from "./keys.ts";
import "./search-bar.css";

interface SearchBarProps {
  readonly asked: Asked;
  readonly selected: Selected | null;
  readonly filters: Answer<"memory-filters"> | null;
  readonly box: RefObject<HTMLInputElement | null>;
  /** Down from the box. */
  onEnterList(): void;
}

const PAUSE_MS = 150;

export function SearchBar({ asked, selected, filters, box, onEnterList }: SearchBarProps) {
  const [text, setText] = useState(asked.q);
  const sent = useRef(asked.q);
  const show = (changes: Partial<Asked>) => replace(linkOf({ ...asked, ...changes }, selected));
  // The address changed otherwise: Back, a link, the palette.
  useEffect(() => {
    if (asked.q === sent.current) return;
    sent.current = asked.q;
    setText(asked.q);
  }, [asked.q]);
  useEffect(() => {
    if (text === sent.current) return;
    const timer = setTimeout(() => {
      sent.current = text;
      replace(linkOf({ ...asked, q: text }, selected));
    }, PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text, asked, selected]);
  useEffect(() => {
    const focusBox = (event: globalThis.KeyboardEvent) => {
      const { target } = event;
      const isTyping =
        target instanceof HTMLElement && target.closest("input, textarea, select, dialog") !== null;
      if (event.key !== SEARCH || isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      box.current?.focus();
      box.current?.select();
    };
    addEventListener("keydown", focusBox);
    return () => removeEventListener("keydown", focusBox);
  }, [box]);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === TO_LIST) {
      event.preventDefault();
      onEnterList();
    } else if (event.key === LEAVE && text !== "") {
      event.preventDefault();
      setText("");
    }
  };
  return (
    <search className="search-bar">
      <input
        ref={box}
        type="search"
        aria-label="Search memory"
        placeholder="Search everything: words, a question, tag:x"
        autoComplete="off"
        spellCheck={false}
        value={text}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={onKeyDown}
      />
      <Filters asked={asked} data={filters} show={show} />
    </search>
  );
}

interface FiltersProps {
  readonly asked: Asked;
  readonly data: SearchBarProps["filters"];
  show(changes: Partial<Asked>): void;
}

function Filters({ asked, data, show }: FiltersProps) {
  const [isOpen, setIsOpen] = useState(false);
  const count = filterCount(asked);
  const collections = data?.collections.map(({ name, count }) => ({
    value: name,
    label: `${name} (${count})`,
  }));
  const hasTags = (data?.tags.length ?? 0) > 0 || asked.tag !== "";
  return (
    <>
      <button
        type="button"
        className="filters-toggle"
        aria-expanded={isOpen}
        onClick={() => setIsOpen(!isOpen)}
      >
        Filters{count > 0 && ` (${count})`}
      </button>
      <fieldset className={isOpen ? "filters open" : "filters"}>
        <legend className="hidden">Filters</legend>
        <Choice name="Kind" value={asked.kind} options={KINDS} onChange={(kind) => show({ kind })} />
        {(collections !== undefined || asked.collection !== "") && (
          <Choice
            name="Collection"
            value={asked.collection}
            options={[{ value: "", label: "All collections" }, ...(collections ?? [])]}
            onChange={(collection) => show({ collection })}
          />
        )}
        {hasTags && (
          <Choice
            name="Tag"
            value={asked.tag}
            options={[
              { value: "", label: "All tags" },
              ...(data?.tags ?? []).map((tag) => ({ value: tag.name, label: `${tag.name} (${tag.count})` })),
            ]}
            onChange={(tag) => show({ tag })}
          />
        )}
        <Choice name="Status" value={asked.status} options={STATES} onChange={(status) => show({ status })} />
        {(data?.hasProject === true || asked.scope !== "") && (
          <Choice name="Scope" value={asked.scope} options={SCOPES} onChange={(scope) => show({ scope })} />
        )}
        <Day name="From" value={asked.since} onChange={(since) => show({ since })} />
        <Day name="To" value={asked.until} onChange={(until) => show({ until })} />
        {count > 0 && (
          <button type="button" className="plain" onClick={() => show(NO_FILTERS)}>
            Clear filters
          </button>
        )}
      </fieldset>
    </>
  );
}

const NO_FILTERS = { kind: "", collection: "", tag: "", since: "", until: "", scope: "", status: "" };

interface ChoiceProps {
  readonly name: string;
  readonly value: string;
  readonly options: readonly { readonly value: string; readonly label: string }[];
  onChange(value: string): void;
}

function Choice({ name, value, options, onChange }: ChoiceProps) {
  // A value from the address that no memory has is still shown.
  const known = options.some((option) => option.value === value);
  return (
    <select
      aria-label={name}
      className={value === "" ? "" : "set"}
      value={value}
      onChange={(event) => onChange(event.target.value)}
    >
      {options.map((option) => (
        <option key={option.value} value={option.value}>
          {option.label}
        </option>
      ))}
      {!known && <option value={value}>{value}</option>}
    </select>
  );
}

interface DayProps {
  readonly name: string;
  readonly value: string;
  onChange(value: string): void;
}

function Day({ name, value, onChange }: DayProps) {
  return (
    <label className={value === "" ? "day" : "day set"}>
      {name}
      <input type="date" value={value} onChange={(event) => onChange(event.target.value)} />
    </label>
  );
}

/** The search box and its filters. The text goes into the URL after a short pause. */
import { type KeyboardEvent, type RefObject, useEffect, useRef, useState } from "react";
import type { Answer } from "../../serve/page/table.ts";
import { SEARCH } from "../keys.ts";
import { replace } from "../route.ts";
import { LEAVE, TO_LIST } from "./keys.ts";
import { filterCount, KINDS, linkOf, type MemoryQuery, SCOPES, type Selected, STATES } from "./query.ts";
import "./search-bar.css";

interface SearchBarProps {
  readonly query: MemoryQuery;
  readonly selected: Selected | null;
  readonly filters: Answer<"memory-filters"> | null;
  readonly box: RefObject<HTMLInputElement | null>;
  /** Down from the box. */
  onEnterList(): void;
}

const PAUSE_MS = 150;

export function SearchBar({ query, selected, filters, box, onEnterList }: SearchBarProps) {
  const [text, setText] = useState(query.q);
  const sent = useRef(query.q);
  const show = (changes: Partial<MemoryQuery>) => replace(linkOf({ ...query, ...changes }, selected));
  // The address changed otherwise: Back, a link, the palette.
  useEffect(() => {
    if (query.q === sent.current) return;
    sent.current = query.q;
    setText(query.q);
  }, [query.q]);
  useEffect(() => {
    if (text === sent.current) return;
    const timer = setTimeout(() => {
      sent.current = text;
      replace(linkOf({ ...query, q: text }, selected));
    }, PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text, query, selected]);
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
      <Filters query={query} data={filters} show={show} />
    </search>
  );
}

interface FiltersProps {
  readonly query: MemoryQuery;
  readonly data: SearchBarProps["filters"];
  show(changes: Partial<MemoryQuery>): void;
}

function Filters({ query, data, show }: FiltersProps) {
  const [isOpen, setIsOpen] = useState(false);
  const count = filterCount(query);
  const collections = data?.collections.map(({ name, count }) => ({
    value: name,
    label: `${name} (${count})`,
  }));
  const hasTags = (data?.tags.length ?? 0) > 0 || query.tag !== "";
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
        <Choice name="Kind" value={query.kind} options={KINDS} onChange={(kind) => show({ kind })} />
        {(collections !== undefined || query.collection !== "") && (
          <Choice
            name="Collection"
            value={query.collection}
            options={[{ value: "", label: "All collections" }, ...(collections ?? [])]}
            onChange={(collection) => show({ collection })}
          />
        )}
        {hasTags && (
          <Choice
            name="Tag"
            value={query.tag}
            options={[
              { value: "", label: "All tags" },
              ...(data?.tags ?? []).map((tag) => ({ value: tag.name, label: `${tag.name} (${tag.count})` })),
            ]}
            onChange={(tag) => show({ tag })}
          />
        )}
        <Choice name="Status" value={query.status} options={STATES} onChange={(status) => show({ status })} />
        {(data?.hasProject === true || query.scope !== "") && (
          <Choice name="Scope" value={query.scope} options={SCOPES} onChange={(scope) => show({ scope })} />
        )}
        <Day name="From" value={query.since} onChange={(since) => show({ since })} />
        <Day name="To" value={query.until} onChange={(until) => show({ until })} />
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

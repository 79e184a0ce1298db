/** What the server answers to a call, asked again when the input or the memory changes. */
import { useCallback, useEffect, useRef, useState } from "react";
import type { Answer, CallName, Input } from "../serve/page/table.ts";
import { CallFailed, call } from "./api.ts";
import { useRevision } from "./changes.ts";

export interface Called<A> {
  /** The last answer, also while a newer one is on its way; null before the first. */
  readonly data: A | null;
  readonly error: CallFailed | null;
  readonly isLoading: boolean;
  /** Whether `data` answers an earlier input. */
  readonly isOutdated: boolean;
  /** Resolves when the server has answered again, or failed to. */
  reload(): Promise<void>;
}

/** `input` null: nothing is asked. */
export function useCall<N extends CallName>(name: N, input: Input<N> | null): Called<Answer<N>> {
  const revision = useRevision();
  const [count, setCount] = useState(0);
  const [state, setState] = useState<State<Answer<N>>>(EMPTY);
  const reloads = useRef<Reloads>({ waiting: [], isOver: false });
  const key = JSON.stringify(input);
  // A new revision, or `reload`, asks again.
  useEffect(() => {
    if (key === "null") return;
    const stop = new AbortController();
    const { waiting } = reloads.current;
    const asking = waiting.length;
    setState((before) => ({ ...before, isLoading: true }));
    call(name, JSON.parse(key) as Input<N>, stop.signal)
      .then(
        (data) => !stop.signal.aborted && setState({ data, error: null, isLoading: false, answered: key }),
        (error: unknown) => {
          if (stop.signal.aborted) return;
          if (!(error instanceof CallFailed)) throw error;
          setState((before) => ({ ...before, error, isLoading: false }));
        },
      )
      .finally(() => !stop.signal.aborted && settle(waiting.splice(0, asking)));
    return () => stop.abort();
  }, [name, key, revision, count]);
  useEffect(() => {
    const { current } = reloads;
    current.isOver = false;
    return () => {
      current.isOver = true;
      settle(current.waiting.splice(0));
    };
  }, []);
  const reload = useCallback(
    () =>
      new Promise<void>((resolve) => {
        if (reloads.current.isOver) return resolve();
        reloads.current.waiting.push(resolve);
        setCount((before) => before + 1);
      }),
    [],
  );
  const { answered, ...called } = state;
  return { ...called, isOutdated: called.data !== null && answered !== key, reload };
}

/** Those who wait for a `reload`, until the component is gone. */
interface Reloads {
  readonly waiting: (() => void)[];
  isOver: boolean;
}

function settle(waiting: readonly (() => void)[]): void {
  for (const resolve of waiting) resolve();
}

interface State<A> extends Omit<Called<A>, "reload" | "isOutdated"> {
  /** The input that `data` answers, as JSON. */
  readonly answered: string;
}

const EMPTY = { data: null, error: null, isLoading: true, answered: "" } as const;

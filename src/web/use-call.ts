/** A hook for server calls. Repeats the call when its input or the memory changes. */
import { type RefObject, useCallback, useEffect, useRef, useState } from "react";
import type { Answer, CallName, Input } from "../serve/page/table.ts";
import { CallFailed, call } from "./api.ts";
import { useRevision } from "./changes.ts";

export interface Called<A> {
  /** The last answer, also while a newer one is being fetched; null before the first. */
  readonly data: A | null;
  readonly error: CallFailed | null;
  readonly isLoading: boolean;
  /** Whether `data` answers an earlier input. */
  readonly isOutdated: boolean;
  /** Resolves when the server has answered again, or failed to. */
  reload(): Promise<void>;
}

/** Makes no call if `input` is null. */
export function useCall<N extends CallName>(name: N, input: Input<N> | null): Called<Answer<N>> {
  const revision = useRevision();
  const [count, setCount] = useState(0);
  const [state, setState] = useState<State<Answer<N>>>(EMPTY);
  const reloads = useRef<Reloads>({ waiting: [], isOver: false });
  const key = JSON.stringify(input);
  const abort = useAbortOnChange(`${name} ${key}`);
  // A new revision, or `reload`, repeats the call.
  useEffect(() => {
    if (key === "null") return;
    const signal = abort.current;
    const request = nextRequest();
    const asking = [...reloads.current.waiting];
    setState((before) => ({ ...before, isLoading: true, asked: request }));
    call(name, JSON.parse(key) as Input<N>, signal)
      .then(
        (data) => {
          if (signal.aborted) return;
          setState((before) => {
            if (request < before.shown) return before;
            const isLoading = request < before.asked;
            return { ...before, data, error: null, isLoading, answered: key, shown: request };
          });
        },
        (error: unknown) => {
          if (signal.aborted) return;
          if (!(error instanceof CallFailed)) throw error;
          setState((before) => (request < before.asked ? before : { ...before, error, isLoading: false }));
        },
      )
      .finally(() => !signal.aborted && settle(reloads.current, asking));
  }, [name, key, revision, count, abort]);
  useEffect(() => {
    const { current } = reloads;
    current.isOver = false;
    return () => {
      current.isOver = true;
      settle(current, current.waiting);
    };
  }, []);
  const reload = useCallback(
    () =>
      new Promise<void>((resolve) => {
        if (reloads.current.isOver) return resolve();
        reloads.current.waiting = [...reloads.current.waiting, resolve];
        setCount((before) => before + 1);
      }),
    [],
  );
  const { data, error, isLoading, answered } = state;
  return { data, error, isLoading, isOutdated: data !== null && answered !== key, reload };
}

/**
 * A signal that aborts when `key` changes or the component is removed. A change to memory must not abort it: a page whose memory
 * changes all the time would never show an answer.
 */
export function useAbortOnChange(key: string): RefObject<AbortSignal> {
  const signal = useRef(ABORTED);
  useEffect(() => {
    const controller = new AbortController();
    signal.current = controller.signal;
    return () => controller.abort();
  }, [key]);
  return signal;
}

const ABORTED = AbortSignal.abort();

let requests = 0;

/** Numbers the requests, since an earlier one may be answered later. */
export function nextRequest(): number {
  return ++requests;
}

/** Callers that wait for a `reload`, until the component is removed. */
interface Reloads {
  waiting: readonly (() => void)[];
  isOver: boolean;
}

function settle(reloads: Reloads, asking: readonly (() => void)[]): void {
  for (const resolve of asking) resolve();
  reloads.waiting = reloads.waiting.filter((resolve) => !asking.includes(resolve));
}

interface State<A> extends Omit<Called<A>, "reload" | "isOutdated"> {
  /** The input that `data` answers, as JSON. */
  readonly answered: string;
  /** The last request, and the one that `data` answers. */
  readonly asked: number;
  readonly shown: number;
}

const EMPTY = { data: null, error: null, isLoading: true, answered: "", asked: 0, shown: 0 } as const;

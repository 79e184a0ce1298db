/** A hook for an action that the user starts: whether it is running, and why it failed. */
import { useCallback, useRef, useState } from "react";
import { CallFailed } from "./api.ts";

export interface Action {
  readonly error: CallFailed | null;
  readonly isBusy: boolean;
  /** Runs one at a time; a second one is ignored. False if it failed or was ignored. */
  run(work: () => Promise<unknown>): Promise<boolean>;
}

export function useAction(): Action {
  const [state, setState] = useState<Pick<Action, "error" | "isBusy">>(IDLE);
  // Two keys may be pressed before the next render.
  const isBusy = useRef(false);
  const run = useCallback(async (work: () => Promise<unknown>) => {
    if (isBusy.current) return false;
    isBusy.current = true;
    setState({ error: null, isBusy: true });
    try {
      await work();
      setState(IDLE);
      return true;
    } catch (error) {
      const isRefused = error instanceof CallFailed;
      setState({ error: isRefused ? error : null, isBusy: false });
      if (!isRefused) throw error;
      return false;
    } finally {
      isBusy.current = false;
    }
  }, []);
  return { ...state, run };
}

const IDLE = { error: null, isBusy: false } as const;

/** Objects whose implementation is loaded when a method is called. */

type AsyncMethods<T> = { readonly [K in keyof T]: (...args: never[]) => Promise<unknown> };

/** Calls `load` for each call of a method. Errors of `load` reject that call. */
export function lazily<T extends AsyncMethods<T>>(load: () => Promise<T>): T {
  return new Proxy({} as T, {
    // An object with a method `then` would be a promise to `await`.
    get: (_, name) =>
      typeof name === "symbol" || name === "then"
        ? undefined
        : async (...args: never[]) => (await load())[name as keyof T](...args),
  });
}

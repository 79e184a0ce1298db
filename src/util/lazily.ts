/** An object that is loaded when one of its methods is first called. */

type AsyncMethods<T> = { readonly [K in keyof T]: (...args: never[]) => Promise<unknown> };

/** `load` runs at each call, so it decides what is kept. Every method must be asynchronous. */
export function lazily<T extends AsyncMethods<T>>(load: () => Promise<T>): T {
  return new Proxy({} as T, {
    // With a method `then`, `await` would take it for a promise.
    get: (_, name) =>
      typeof name === "symbol" || name === "then"
        ? undefined
        : async (...args: never[]) => (await load())[name as keyof T](...args),
  });
}

/** What embeds a single text on the thread that asks; one for each thread. */
export interface Engine {
  /** A unit vector. */
  embed(text: string): Float32Array;
  close(): void;
}

export type EngineName = "native" | "wasm";

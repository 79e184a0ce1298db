/** Embeds a single text on the calling thread; one engine per thread. */
export interface Engine {
  /** A unit vector. */
  embed(text: string): Float32Array;
  close(): void;
}

export type EngineName = "native" | "wasm";

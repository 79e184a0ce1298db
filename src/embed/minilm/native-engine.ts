/**
 * MiniLM on ONNX Runtime: text to tokens, tokens to the sum of their embeddings, the graph to a vector. Rows of the word table
 * are read from the registry's file on demand, which keeps half of the model out of memory and graph.
 */

import { sensesOf } from "../../core/senses.ts";
import { DIMENSIONS, MAX_TOKENS } from "../model.ts";
import type { Engine } from "./engine.ts";
import { loadModel, rebuildModel } from "./graph-cache.ts";
import { openSession, type Runtime, Tensor } from "./onnx-runtime.ts";
import { modelFiles } from "./packages.ts";
import { Safetensors } from "./safetensors.ts";
import { Vocabulary } from "./vocabulary.ts";
import { WordPiece } from "./wordpiece.ts";

const WORDS = ["embeddings.word_embeddings.weight", [30522, DIMENSIONS]] as const;

/** Rebuilds a cached model that is intact but unusable for this version. */
function openModel(runtime: Runtime, cacheDirectory: string) {
  const cached = loadModel(cacheDirectory);
  try {
    return { model: cached, session: openSession(runtime, cached.graph) };
  } catch {
    const model = rebuildModel(cacheDirectory);
    return { model, session: openSession(runtime, model.graph) };
  }
}

export function openNativeEngine(runtime: Runtime, cacheDirectory: string): Engine {
  const { model, session } = openModel(runtime, cacheDirectory);
  const tokenizer = new WordPiece(Vocabulary.fromBytes(model.vocabulary));
  const weights = Safetensors.open(modelFiles().weights);
  const positions = new Float32Array(model.positions.slice().buffer);

  return {
    embed(text) {
      const ids = tokenizer.encode(text, MAX_TOKENS);
      const embedded = weights.rows(...WORDS, ids);
      for (let at = 0; at < embedded.length; at++) embedded[at] = (embedded[at] ?? 0) + (positions[at] ?? 0);
      const input = new Tensor("float32", embedded, [1, ids.length, DIMENSIONS]);
      const { vector, tokens } = session.run({ embedded: input }, { vector: null, tokens: null }, {});
      if (vector === undefined || tokens === undefined) throw new Error("ONNX Runtime returned no vector");
      // Without the tokens that mark the start and the end.
      const said = tokens.data.subarray(DIMENSIONS, -DIMENSIONS);
      return { vector: vector.data.slice(), senses: sensesOf(said, DIMENSIONS) };
    },
    close() {
      session.dispose();
      weights.close();
    },
  };
}

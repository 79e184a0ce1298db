/** The model that both engines run. */
export const MODEL_NAME = "minilm-l6-v2";
export const DIMENSIONS = 384;
/** The model's limit; longer texts are cut, as in the reference. */
export const MAX_TOKENS = 256;

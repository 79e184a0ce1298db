/** The model that both engines run. */
export const MODEL_NAME = "minilm-l6-v2";
export const DIMENSIONS = 384;
/** What the model was made for; longer texts are cut, as the reference cuts them. */
export const MAX_TOKENS = 256;

/** The used parts of zod, by name, so that a bundle contains no more: all of it takes several milliseconds to load. */

import { config } from "zod/mini";
import en from "zod/v4/locales/en.js";

// Compiling schemas pays off only for many values; a command checks a few.
config({ ...en(), jitless: true });

export {
  array,
  boolean,
  enum,
  type infer,
  int,
  json,
  literal,
  maximum,
  maxLength,
  minimum,
  minLength,
  nullish,
  number,
  object,
  optional,
  pipe,
  record,
  refine,
  regex,
  strictObject,
  string,
  transform,
  union,
  unknown,
  url,
  type ZodMiniType,
} from "zod/mini";

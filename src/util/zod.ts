/**
 * What is used of zod, by name, so that a bundle holds no more than that: all of it would take a command several
 * milliseconds to load.
 */

import { config } from "zod/mini";
import en from "zod/v4/locales/en.js";

// Compiling a schema pays off after many values; a command checks a few and ends.
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
  nullable,
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
  union,
  unknown,
  url,
  type ZodMiniType,
} from "zod/mini";

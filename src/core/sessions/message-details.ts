/**
 * Parses a message's details from JSON. A file may be damaged or come from anywhere, so fields of the wrong shape are dropped and
 * readers can rely on the rest.
 */
import { isRecord } from "../../util/json.ts";
import type { MessageDetails } from "./conversation.ts";

type Check = (value: unknown) => boolean;
type Shape = Readonly<Record<string, Check>>;

const isText: Check = (value) => typeof value === "string";
const isNumber: Check = (value) => typeof value === "number";
const isFlag: Check = (value) => typeof value === "boolean";
const isAnything: Check = () => true;
const isTokens: Check = (value) => value === null || isNumber(value);
const optional =
  (check: Check): Check =>
  (value) =>
    value === undefined || check(value);
const listOf =
  (check: Check): Check =>
  (value) =>
    Array.isArray(value) && value.every(check);
const like =
  (shape: Shape): Check =>
  (value) =>
    isRecord(value) && Object.entries(shape).every(([key, check]) => check(value[key]));

const CALL = { id: isText, name: isText, input: isAnything, invalid: optional(isText) };
const THOUGHT = { text: isText, metadata: isAnything };
const PART = { name: isText, title: isText, tokens: isNumber, memories: optional(listOf(isText)) };
const USAGE = { input: isTokens, output: isTokens, cacheRead: isTokens, cacheWrite: isTokens };
const FILE = { path: isText, bytes: isNumber, text: isText, isCut: isFlag };
const RESULT = {
  ...{ id: isText, name: isText, output: isText, ok: isFlag },
  ...{ brief: optional(isText), diff: optional(isText) },
};

const FIELDS: { readonly [Field in keyof MessageDetails]-?: Check } = {
  calls: listOf(like(CALL)),
  thinking: listOf(like(THOUGHT)),
  context: listOf(like(PART)),
  model: isText,
  answer: isText,
  usage: like(USAGE),
  interrupted: isFlag,
  failed: (value) => value === "unanswered" || value === "retried",
  files: listOf(like(FILE)),
  results: listOf(like(RESULT)),
  compactsTo: isNumber,
  retainedTo: isNumber,
  learnedTo: isNumber,
};

const OWN_NAMES: ReadonlySet<string> = new Set(
  [FIELDS, CALL, THOUGHT, PART, USAGE, FILE, RESULT].flatMap(Object.keys),
);

export function fromDetailsJson(json: string): MessageDetails {
  return soundDetails(parsed(json));
}

/** The fields of `value` that have the right shape. */
export function soundDetails(value: unknown): MessageDetails {
  if (!isRecord(value)) return {};
  const sound = Object.entries(value).filter(([field, one]) => checkOf(field)(one));
  return Object.fromEntries(sound);
}

/**
 * Edits every text in it, including field names other than ours, since a tool's input may have any. Thinking is signed and its
 * provider only accepts it verbatim, so thinking that would change is dropped.
 */
export function editedDetails(details: MessageDetails, edit: (text: string) => string): MessageDetails {
  const { thinking } = details;
  const isSame = (thought: unknown) => JSON.stringify(edited(thought, edit)) === JSON.stringify(thought);
  const kept = thinking === undefined ? details : { ...details, thinking: thinking.filter(isSame) };
  return edited(kept, edit) as MessageDetails;
}

function edited(value: unknown, edit: (text: string) => string): unknown {
  if (typeof value === "string") return edit(value);
  if (Array.isArray(value)) return value.map((one) => edited(one, edit));
  if (!isRecord(value)) return value;
  const name = (key: string) => (OWN_NAMES.has(key) ? key : edit(key));
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [name(key), edited(one, edit)]));
}

function checkOf(field: string): Check {
  return Object.hasOwn(FIELDS, field) ? FIELDS[field as keyof MessageDetails] : isAnything;
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return null;
  }
}

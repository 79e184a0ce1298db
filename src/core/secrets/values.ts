/**
 * Decides whether a value looks like a real secret, or like a word, a reference, a placeholder, a hash name or a version. Callers
 * truncate values to a few hundred characters.
 */
import { anyOf, wordSet } from "../../util/word-lists.ts";

/** Prefixes of public keys in base64, which aren't secret. */
const PUBLIC_KEY = /^(?:AAAA[BCE]3NzaC1|MFkwEwYHKoZI|MHYwEAYHKoZI|MIGbMBAGByqG|MII[BC]I[jD]AN|MCowBQYDK2V)/;
const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;

const FILE_TYPES = anyOf(
  "json5?|ya?ml|toml|ini|conf|cfg|env|xml|csv|log",
  "txt|mdx?|html?|css|pdf|docx?|xlsx?",
  "[cm]?[jt]sx?|py|go|rs|rb|php|java|sh|sql",
  "png|jpe?g|gif|svg|mp[34]",
  "zip|tar|gz|jar",
  "pem|key",
);

/** Placeholders, and references to a value stored somewhere else. */
const REFERENCES: readonly RegExp[] = [
  /^[*•·●█.…xX#_?0-]+$/u,
  /^(?:[$%@&*!:][A-Za-z_][\w-]*%?|--?[a-z][a-z-]*)$/,
  /^[<{[(|\\]|[<{[][\w ./-]+[>}\]]?$|<[\w ./-]*>|\{[\w ./-]*\}|\[[\w ./-]*\]|\$[({]/,
  /\.{3}|…|\*{3}|•{2}|x{3}/iu,
  /^~?\/|^\.{1,2}\/|^&#?\w{1,8};/,
  /^[A-Za-z_$][\w$.:>-]*[([]|^\$\w+(?:->|\.)/,
  /^(?:[a-z][a-z0-9_.-]*\/|\d+\/)+[a-z0-9_.-]*$/,
  /^[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+$/,
  /^[a-z][a-z0-9+.-]*:\/\//i,
  /^(?:arn|env|vault|ssm|secret|secrets|file|op|keychain|keyring|ref|urn|sha\d+|md5):/i,
  /^[\w.+-]+@(?:[\w-]+\.)+[a-z]{2,12}$/i,
  /^\$(?:2[abxy]|argon2\w*|[156]|scrypt)\$/,
  new RegExp(`\\.${FILE_TYPES}$`, "i"),
  /^0x(?:[0-9a-f]{1,16}|[0-9a-f]{40})$/i,
  PUBLIC_KEY,
];

/** Words from documentation, unlikely in a random string. */
const PLACEHOLDER_WORD = new RegExp(
  anyOf(
    "example|placeholder|redact|change-?_?me|insert|replace|dummy|sample|lorem",
    "(?<![a-z0-9])(?:your|fake|todo|tbd|mock|here)(?![a-z0-9])",
    "your[-_]?(?:own|api|key|token|secret|pass|access|client|auth)|key[-_]?here",
  ),
  "i",
);

/** A value made of only these words describes a secret and isn't one. */
const NAMING = wordSet(
  `a access account admin an and any api app are auth authentication bearer bot change client code config credential
  credentials current data database db default dev email empty env false file for from generated generic get hash hidden id in
  input is it key keys local localhost login long masked me my mypass mypassword mysecret name new nil no none not null of old
  on optional or our param pass passcode passphrase passwd password passwords passwort pin plain postgres private prod public
  pw pwd random raw removed required root secret secrets secure self session signing some staging string strong super
  supersecret test text that the this to token tokens top true type undefined unknown unset user username value values var
  very with word wrong yes foo bar baz qux abc xyz`,
);

/** Names that end in a number: "sha256", "OAuth2", "GPT-4". */
const NUMBERED = anyOf(
  "sha|md|blake|keccak|hmac|pbkdf|argon|bcrypt|aes|des|chacha|rsa|rs|hs|es|ps|ec|ed|curve|secp",
  "oauth|saml|fido|h?otp|totp",
  "http|tls|ssl|ipv|web|rfc|iso|iec|fips|pkcs|erc|bip",
  "utf|base|u?int|float|char|varchar|mp",
  "win|php|python|node|gpt|llama|arm|amd",
);

/** Words that a number follows in a text: "step 3", "v2". */
const COUNTED = anyOf(
  "[a-z]|version|rc|beta|alpha",
  "level|step|phase|stage|round|tier",
  "week|day|year",
  "chapter|section|page|part|line|fig|table|item|case|note|option|field",
);

/** What follows a number: "3rd", "20 ms", "8-chars". */
const UNITS = anyOf(
  "st|nd|rd|th|x|k|m|b|%|\\+",
  "d|h|s|ms|min|mins|sec|secs|hrs?|hours?|days?|weeks?|months?|years?",
  "chars?|characters?|digits?|letters?|words?",
  "bits?|bytes?|kb|mb|gb",
  "px|em|rem|pt",
);

/** Technical names with digits, and amounts, dates and versions. */
const TECHNICAL: readonly RegExp[] = [
  new RegExp(`^${NUMBERED}[-_ ]?\\d{1,5}(?:[.-]\\d+)*[a-z]{0,4}$`, "i"),
  new RegExp(`^${COUNTED}[-_ ]?\\d{1,4}(?:[.-]\\d+)*[a-z]{0,2}$`, "i"),
  /^(?:1password|2fa|k8s|i18n|l10n|a11y|auth0|oauth2|argon2id?|x509|x86|s3|ec2|web3|log4j|neo4j|office365|microsoft365|m365)(?:[-_/.'’].*)?$/i,
  new RegExp(`^\\d+-?${UNITS}$`, "i"),
  /^[~<>≥≤v]?\d+(?:[.,:/–-]\d+)+[a-z]?$/i,
  /^\d{4}-\d\d-\d\d(?:T|$)/,
  /^AWS4-HMAC-/,
  /^(?:19|20)\d\d[a-z]*$/i,
];

function isTechnical(value: string): boolean {
  return TECHNICAL.some((pattern) => pattern.test(value));
}

/** A slug with one of these words describes a rule or a component: "min-8-chars", "oauth2-proxy". In lower case. */
const SLUG_WORDS = wordSet(
  "min max minimum maximum at least length long char chars character characters digit digits letter letters bit bits",
  "day days hour hours minute minutes week weeks month months year years",
  "version level step iso page section type style test case error code v",
  "of the and or not is in for based only protected encrypted hashed",
  "user id key token password secret oauth oauth2 auth0 proxy api http https utf sha md5 aes rsa",
);

const SENTENCE_WORDS = wordSet(
  "are was were has have had will would can could should must may does did been being",
  "you they she its his her their",
  "there then than when where what which who how why but",
  "into onto over under after before until from with without about via per",
  "also only never always all each every one two",
  "please enter ask see use",
);

/** Runs of the same kind of character (lower case, upper case, digit, other): 2 in "hunter2"; nearly one per character in random text. */
function kindRuns(value: string): number {
  return value.match(/\p{Ll}+|\p{Lu}+|\d+|[^\p{Ll}\p{Lu}\d]+/gu)?.length ?? 0;
}

/** Capitals in places where `camelCase` and `HTTPServer` have none. */
function hasRandomCase(value: string): boolean {
  const alone = value.match(/(?<=[A-Z])[a-z](?=[A-Z])/g)?.length ?? 0;
  return alone >= value.length / 16 && (alone >= 3 || /[A-Z]{2}/.test(value)) && isDense(value, 2.5);
}

/** Whether a key contains filler ("xxxxx", "EXAMPLE", "your-key-here"), so it isn't real. */
export function isFiller(key: string): boolean {
  return /x{5}|0{12}|\*{3}|\.{3}/i.test(key) || PLACEHOLDER_WORD.test(key);
}

/** Whether the key or a part between separators is random or too long to be a word. */
export function isMixed(key: string): boolean {
  const parts = key.split(/[^A-Za-z0-9]+/);
  const isRandom = (part: string) => part.length >= 8 && /\d/.test(part) && kindRuns(part) >= 3;
  return parts.some((part) => part.length >= 20 || isRandom(part)) || hasRandomCase(parts.join(""));
}

/** Whether the kind of character changes as often as in random text; in paths and names it rarely does. */
export function isDense(value: string, longestRun: number): boolean {
  return value.length / kindRuns(value) < longestRun;
}

export function isUuid(value: string): boolean {
  return UUID.test(value);
}

export function isPlaceholder(value: string): boolean {
  if (REFERENCES.some((pattern) => pattern.test(value)) || PLACEHOLDER_WORD.test(value)) return true;
  const words = value
    .replace(/(\p{Ll})(\p{Lu})/gu, "$1 $2")
    .toLowerCase()
    .split(/[^\p{L}\d]+/u);
  return words.every((word) => word === "" || NAMING.has(word.replace(/\d$/, "")));
}

/** Whether it may be a chosen password: not a single word, a reference or prose. */
export function looksLikePassword(value: string): boolean {
  if (/^\d+$/.test(value)) return value.length >= 4 && !/^0+$/.test(value);
  if (looksLikePassphrase(value) || (/^[A-Za-z0-9+/]{6,}={1,2}$/.test(value) && value.length % 4 === 0))
    return true;
  if (isGenerated(value)) return true;
  if (isPlaceholder(value) || isTechnical(value)) return false;
  if (isSlug(value)) return isChosenSlug(value);
  const letters = /\p{L}/u.test(value);
  if (/\d/.test(value)) return value.length >= 6 && (letters || /[^\d.,:/+() -]/.test(value));
  const both = /\p{Ll}/u.test(value) && /\p{Lu}/u.test(value);
  if (/\p{L}[!@#$%^&*]+\p{L}/u.test(value)) return value.length >= 8 && both;
  return (
    value.length >= 8 && both && /^\p{L}+$/u.test(value) && (hasRandomCase(value) || isUnspeakable(value))
  );
}

/** Endings of words, which show that a word isn't made up. */
const ENDINGS = anyOf(
  "[ts]ion|[ai]ble|ment|ness|[ai]ty|ly|[sti]ve|ous|ful|less|[iu]al|nal|[ae]nt|ary|ory|ic|ics|ism|ist",
  "ed|ing|ers|ors|ance|ence|ncy|ology|graphy|ship",
  "word|where|thing|body|ever",
);
/** Parts of words that describe passwords rather than being one. */
const ABOUT_PASSWORDS = new RegExp(anyOf("pass|secret|login|user|admin|test|demo|foobar", `${ENDINGS}$`));
const SAID_OF_PASSWORDS = wordSet(
  `alphanumeric anyone autofill before between bitwarden changes characters children complete configure confirm context
  continue contrary database discrete document elsewhere environment everyone example external hardcode homepage incomplete
  insecure internal javascript keychain keystore kubernetes language length lowercase manager markdown maximum minimum mnemonic
  multiple nextcloud overview parameter personal plaintext postgres postgresql production question reserved resource sanitize
  schema security sequence settings shortcut software someone standard superuser template terminal together tomorrow
  typescript unicode unknown uppercase validate variable yesterday`,
);

/** Whether a plain word may be a password: it is long, and not a word that people use about passwords. */
export function looksLikeChosenWord(value: string, least: number): boolean {
  return (
    value.length >= least &&
    /^\p{Ll}+$/u.test(value) &&
    new Set(value).size >= 5 &&
    !ABOUT_PASSWORDS.test(value) &&
    !SAID_OF_PASSWORDS.has(value) &&
    !isPlaceholder(value)
  );
}

/** From a password generator: all kinds of characters mixed, unlike code. */
function isGenerated(value: string): boolean {
  const kinds = [/[a-z]/, /[A-Z]/, /\d/].filter((kind) => kind.test(value)).length;
  if (value.length < 10 || !/[!@#$%^&*?~]/.test(value) || kinds < 2) return false;
  if (!isDense(value, kinds === 3 ? 2.2 : 1.8) || PLACEHOLDER_WORD.test(value)) return false;
  return !/^\$[A-Za-z_]|->|=>|::|\(\)|&&|&#|\$[({]|\{\{|^<.*>$|\*{3}/.test(value);
}

/** Five consonants in a row, with capitals inside words. */
function isUnspeakable(value: string): boolean {
  return /[bcdfghjklmnpqrstvwxz]{5}/i.test(value) && /[a-z][A-Z]{2}|[A-Z][a-z][A-Z]/.test(value);
}

/** "correct-horse-battery-staple": at least four words, none of them typical of a sentence. */
export function looksLikePassphrase(value: string): boolean {
  const words = value.split(/[\s-]+/);
  const plain = words.length >= 4 && words.every((word) => /^\p{Ll}{3,10}$/u.test(word));
  return plain && !words.some((word) => [SENTENCE_WORDS, SLUG_WORDS, NAMING].some((set) => set.has(word)));
}

/** Words and numbers with separators: `user_profile_v2`, `my-app-2024`, `color.blue.500`, `secrets/prod/db1`. */
export function isSlug(value: string): boolean {
  const parts = value.split(/[-_./:,+=&]+/).filter((part) => part !== "");
  return parts.length >= 2 && parts.every((part) => SLUG_PART.test(part));
}

const SLUG_PART = /^(?:\p{Lu}?\p{Ll}*(?:\p{Lu}\p{Ll}+)*|\p{Lu}+|\d{1,4}|v\d+|\p{L}{3,}\d|\d{1,2}\p{Ll})$/u;

/** A slug that may be a password: "blue-horse-42", "summer-2024"; not "min-8-chars". */
function isChosenSlug(value: string): boolean {
  const parts = value.split("-");
  const chosen = parts.length >= 3 ? /\d/.test(value) : /^\p{L}{4,}-\d{2,}$/u.test(value);
  return chosen && parts.every((part) => /^[\p{L}\d]+$/u.test(part) && !SLUG_WORDS.has(part.toLowerCase()));
}

/** Whether it is machine-generated: mixed letters and digits, a UUID, or a long hash. `least` is the minimum length. */
export function looksRandom(value: string, least: number): boolean {
  if (value.length < least || !/^[\w+/=.~:@!$%^&*#-]+$/.test(value)) return false;
  const hasDigits = /\d/.test(value);
  if (hasDigits ? !/[A-Za-z]/.test(value) : value.length < 16 || !hasRandomCase(value)) return false;
  if (new Set(value.slice(0, 40)).size < Math.min(8, value.length / 2)) return false;
  if (isPlaceholder(value) || isSlug(value) || isTechnical(value)) return false;
  const hasBothCases = /[a-z]/.test(value) && /[A-Z]/.test(value);
  if ((hasBothCases || /[._:/]/.test(value)) && !isDense(value, value.length < 20 ? 3 : 2.5)) return false;
  return !hasDigits || value.length >= 32 || kindRuns(value) >= 4;
}

/** Decodes base64 or base64url as Latin-1; null if it isn't valid. */
export function decodeBase64(text: string): string | null {
  try {
    return atob(
      text
        .replaceAll("-", "+")
        .replaceAll("_", "/")
        .replace(/={1,2}$/, ""),
    );
  } catch {
    return null;
  }
}

/** Removes trailing `characters`. */
export function trimEnd(text: string, characters: string): string {
  let end = text.length;
  while (end > 0 && characters.includes(text[end - 1] ?? "")) end--;
  return text.slice(0, end);
}

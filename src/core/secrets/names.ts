/** Names that make a value secret, and the kind of value they have. */
import { anyOf } from "../../util/word-lists.ts";

export interface SecretName {
  /** What the value is, for messages: "a password", "an API key". */
  readonly what: string;
  /**
   * password: chosen by a person. token: generated. secret: either. key: generated, but most values called "key" aren't
   * secret.
   */
  readonly kind: "password" | "token" | "secret" | "key";
  /** The value may be only digits. (`pass: 1203` is a count.) */
  readonly mayBeNumber: boolean;
  /** The value may follow the name without a sign or verb. ("pass" is a verb itself.) */
  readonly mayBeBare: boolean;
  /** `FOO_KEY` or `fooKey`, not just "key". */
  readonly isCompound: boolean;
  /** For PINs: the digits that count as one. */
  readonly digits?: RegExp;
}

const KEY_OF = anyOf(
  "api|access|secret|private|encryption|signing|auth|master|recovery|shared",
  "account|admin|subscription|licen[cs]e|activation|consumer|client",
  "service|storage|deploy|webhook|app|application|project|server",
);
/** Case-insensitive. Longer names come first. */
export const NAME = [
  "wi-?fi[ _-]?key|wlan-?schlüssel|psk|pass(?:word|wd|phrase|code|wort)|kennwort|pwd|pass|pw",
  "mot de passe|contrase[ñn]a|senha|wachtwoord|parola|hasło|lösenord|пароль|密码|密碼|口令|パスワード|비밀번호",
  "pin[ _-]?(?:code|number)|pin|cv[vc]2?",
  `${KEY_OF}[ _.-]?key|key|token|credentials?|secret|session[ _-]cookie`,
].join("|");

/** These may follow other letters directly: `dbpassword`, `authtoken`. */
const GLUED = /^(?:password|passwd|passphrase|pwd|token|secret|api[ _.-]?key)$/i;
/** After these words, values are public. */
const PUBLIC_BEFORE = /(?:public|public_?key|publishable|csrf|xsrf|anon|site)[ _.-]?$/i;
/** After these words, keys and tokens are only names. `export KEY=` is a shell assignment. */
const HARMLESS_BEFORE = new RegExp(
  `${anyOf(
    "primary|foreign|unique|partition|sort|range|hash|row|column|cache|query|dedup\\w*|lock|idempotency|routing",
    "page|next|cursor|continuation|starting",
    "change|request|update|export(?! )|message|event|cancellation",
    "map|object|host|known|registry|config|default",
    "translation|i18n|design|color|theme|css|react",
    "eos|bos|pad|unk|mask|special|stop",
    "arrow|enter|press|hot|short ?cut",
  )}[ _.-]?$`,
  "i",
);

/** Too short to count inside another word, even in camel case. */
const SHORT = /^(?:pw|pin|psk|cv[vc]2?)$/i;

/** Test results say PASS; 1Password is a product. */
function isOtherName(word: string, before: string): boolean {
  return (
    (word === "PASS" && !before.endsWith("_")) || (/^password$/i.test(word) && /(?:^|\W)1$/.test(before))
  );
}

/** The kind of secret that the name `word` at `index` indicates; null if it is part of another word, or harmless. */
export function kindOfName(text: string, index: number, word: string): SecretName | null {
  const before = text.slice(Math.max(0, index - 24), index);
  if (isInsideWord(before.at(-1) ?? " ", word) || isOtherName(word, before)) return null;
  const name = word.toLowerCase();
  const isCompound = /\w$/.test(before);
  const digits = digitsOf(name);
  if (digits !== undefined) {
    const what = name.startsWith("pin") ? "a PIN" : "a card's security code";
    return { what, kind: "password", mayBeNumber: true, mayBeBare: false, isCompound, digits };
  }
  if (/^(?!wi).*key|token|secret|credential|cookie/.test(name)) {
    if (/(?<!\$env):$/i.test(before) || PUBLIC_BEFORE.test(before)) return null;
    if (/^(?:key|token)$/.test(name) && HARMLESS_BEFORE.test(before)) return null;
    return { ...keyName(name), mayBeNumber: false, mayBeBare: true, isCompound };
  }
  const what = name === "passphrase" ? "a passphrase" : name === "passcode" ? "a passcode" : "a password";
  const isShort = name === "pass" || name === "pw";
  return { what, kind: "password", mayBeNumber: !isShort, mayBeBare: !isShort, isCompound };
}

function digitsOf(name: string): RegExp | undefined {
  if (name.startsWith("cv")) return /^\d{3,4}$/;
  if (name === "pin") return /^\d{4,8}$/;
  // In India, a PIN code is a six-digit postal code.
  return name.startsWith("pin") ? /^(?:\d{4}|\d{5}|\d{7,8})$/ : undefined;
}

function isInsideWord(previous: string, word: string): boolean {
  if (SHORT.test(word)) return !/[\s"'`([{,;|*_:>/-]/.test(previous);
  if (!/\p{Script=Latin}/u.test(previous) || !/^\p{Script=Latin}/u.test(word) || GLUED.test(word))
    return false;
  return !(/\p{Ll}/u.test(previous) && /^\p{Lu}/u.test(word));
}

function keyName(name: string): Pick<SecretName, "what" | "kind"> {
  if (name === "key") return { what: "a key", kind: "key" };
  if (name === "token") return { what: "a token", kind: "token" };
  if (name === "secret") return { what: "a secret", kind: "secret" };
  if (name.endsWith("cookie")) return { what: "a session cookie", kind: "token" };
  if (name.startsWith("credential")) return { what: "a credential", kind: "token" };
  if (name.startsWith("api")) return { what: "an API key", kind: "token" };
  if (name.startsWith("private")) return { what: "a private key", kind: "token" };
  return { what: /^[aeiou]/.test(name) ? "an access key" : "a key", kind: "token" };
}

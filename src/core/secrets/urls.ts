/** Finds secrets in protocol syntax: passwords in URLs, `Authorization` headers, keys in Azure connection strings. */
import { REMOVED, type Secret } from "./secret.ts";
import { decodeBase64, isPlaceholder, looksLikePassword, looksRandom, trimEnd } from "./values.ts";

/** Bounded on both sides of the colon, so that each `://` has a constant cost. */
const USER_AND_PASSWORD = /:\/\/([^\s/?#@:"'`<>\\|]{0,128}):([^\s/?#"'`<>\\|]{1,256})@(?=[\w[${%*])/g;
/** Passwords in database URLs often contain characters that should be encoded. */
const DATABASE_URL =
  /(?:postgres(?:ql)?|mysql|mariadb|mongodb|rediss?|amqps?|mssql|sqlserver|clickhouse|cockroachdb|nats|kafka)(?:\+\w{1,12})?:\/\/([^\s/?#@:"'`<>\\|]{0,128}):([^\s"'`<>\\]{1,256})@(?=[\w[${%*])/gi;
const PORT_THEN_MORE = /^\d{1,5}(?:[/,;?#]|$)/;
const UNREAL_HOST =
  /^(?:localhost|127\.0\.0\.1|0\.0\.0\.0|\[::1\]|(?:host(?:name)?|server|db)(?![\w.-])|(?:[\w-]+\.)*example\.)/i;

export function findUrlPasswords(text: string): Secret[] {
  return [USER_AND_PASSWORD, DATABASE_URL].flatMap((pattern) =>
    Array.from(text.matchAll(pattern))
      .filter((match) => {
        const [all, user = "", password = ""] = match;
        const host = text.slice(match.index + all.length, match.index + all.length + 40);
        return isUrlPassword(password, user, host);
      })
      .map((match) => {
        const end = match.index + match[0].length - 1;
        return { what: "a password in a URL", start: end - (match[2]?.length ?? 0), end };
      }),
  );
}

/** A plain word counts as a password here, but not a placeholder, the user's own name, or one for a placeholder host. */
function isUrlPassword(password: string, user: string, host: string): boolean {
  if (password.length < 3 || PORT_THEN_MORE.test(password) || isPlaceholder(password)) return false;
  if (password.toLowerCase() === user.toLowerCase() || /^[$<{%*]/.test(host)) return false;
  return !UNREAL_HOST.test(host) || looksLikePassword(password) || looksRandom(password, 12);
}

const HEADER =
  /\b(?:proxy-)?authorization[\\"'`*]{0,3}[ \t]*[:=][ \t]*[\\"'`*]{0,3}[ \t]*(?:(basic|bearer|token|apikey|api-key|key|bot|digest|negotiate|splunk)[ \t]+)?([^\s"'`\\,<>]{8,})/gi;
const SCHEME = /\b(bearer|basic)[ \t]+["'`]?([A-Za-z0-9_.~+/=-]{8,})/gi;

export function findHeaders(text: string): Secret[] {
  return [HEADER, SCHEME].flatMap((pattern) =>
    Array.from(text.matchAll(pattern)).flatMap((match) => {
      const [all, scheme = "", raw = ""] = match;
      const value = trimEnd(raw, ".;)");
      const start = match.index + all.length - raw.length;
      const basic = scheme.toLowerCase() === "basic";
      if (!(basic ? isUserAndPassword(value) : looksRandom(value.slice(0, 512), 16))) return [];
      const what = basic ? "a password in a header" : "a token in a header";
      return [{ what, start, end: start + value.length }];
    }),
  );
}

function isUserAndPassword(value: string): boolean {
  const [user = "", ...password] = (decodeBase64(value) ?? "").split(":");
  const isText = password.length > 0 && /^[\x20-\x7e]*$/.test(user);
  return isText && isUrlPassword(password.join(":").slice(0, 256), user, "");
}

const AZURE = /\b(?:AccountKey|SharedAccessKey|SharedSecret)=([A-Za-z0-9+/]{40,}={0,2})/gi;
const SIGNED_URL = /[?&](?:sig|X-Amz-Signature|X-Goog-Signature)=([\w%+/-]{40,}={0,2})/gi;
const AWS_SECRET = /(?<![A-Za-z0-9/+=])[A-Za-z0-9/+]{40}(?![A-Za-z0-9/+=])/g;
const NEAR_AWS = /aws|amazon|AKIA|ASIA/i;

/** Finds cloud keys that have no prefix by the text before them. */
export function findCloudKeys(text: string): Secret[] {
  const named = (pattern: RegExp, what: string) =>
    Array.from(text.matchAll(pattern))
      .filter(([, key = ""]) => !isPlaceholder(key.slice(0, 200)))
      .map((match) => {
        const end = match.index + match[0].length;
        return { what, start: end - (match[1]?.length ?? 0), end };
      });
  const secrets = Array.from(text.matchAll(AWS_SECRET)).flatMap(({ index, 0: key }) => {
    const before =
      text
        .slice(Math.max(0, index - 80), index)
        .split(REMOVED)
        .at(-1) ?? "";
    const isAws = NEAR_AWS.test(before);
    if (!(isAws || /secret/i.test(before)) || !isAwsSecret(key)) return [];
    return [{ what: isAws ? "an AWS secret key" : "a secret key", start: index, end: index + key.length }];
  });
  return [...named(AZURE, "an Azure key"), ...named(SIGNED_URL, "the signature of a URL"), ...secrets];
}

function isAwsSecret(key: string): boolean {
  return /[a-z]/.test(key) && /[A-Z]/.test(key) && looksRandom(key.replace(/^\/+/, ""), 30);
}

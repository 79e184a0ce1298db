/** Finds logins outside URLs: in program options, next to a user name, and in session cookies. */
import type { Secret } from "./secret.ts";
import { isPlaceholder, looksLikeChosenWord, looksLikePassword, looksRandom, trimEnd } from "./values.ts";

const CURL_USER = /\s(?:-u|--user|--proxy-user)[ =]?["']?([^\s:"']{1,64}):([^\s"']{3,128})/g;
const LOGIN =
  /\b(?:login|credentials?|creds|zugangsdaten)[*_"'`]{0,3}[ \t]*[:=][*_ \t"'`]{0,4}([\w.@+-]{1,64})[ \t]*[:/][ \t]*([^\s"'`]{4,128})/gi;

/** Programs that take a password with `-p`; most others use it for something else. */
const SHORT_OPTION =
  /\b(sshpass[ \t]+-p[ \t]?|(?:mysql(?:dump|admin)?|mariadb(?:-dump)?)[ \t][^\n|;]{0,80}?(?<=[ \t])-p)["']?([^\s"']{4,128})/g;

/** `curl -u user:password`, "login: user / password", `mysql -ppassword`. */
export function findLogins(text: string): Secret[] {
  return [CURL_USER, LOGIN, SHORT_OPTION].flatMap((pattern) =>
    Array.from(text.matchAll(pattern)).flatMap((match) => {
      const [all, user = "", raw = ""] = match;
      const password = trimEnd(raw, ".,;)");
      const start = match.index + all.length - raw.length;
      if (password === user || !looksLikePassword(password)) return [];
      return [{ what: "a password", start, end: start + password.length }];
    }),
  );
}

const USER =
  "(?:user(?:[ _-]?(?:name|id))?|login|account|benutzer(?:name)?|usuario|utilisateur|utente|gebruiker|usuário)";
const PASSWORD =
  "(?:pass(?:word|wd|phrase|code|wort)?|pwd|pw|kennwort|contrase[ñn]a|mot de passe|senha|wachtwoord|parola|lösenord)";
const USER_THEN_PASSWORD = new RegExp(
  `(?<![\\p{L}\\d_-])${USER}[ \\t]{0,8}[:=]?[ \\t]{1,8}["'\`]?([\\w.@+-]{1,64})["'\`]?[ \\t]{0,8}(,|;|/|&|\\+|(?<=[ \\t])(?:and|und|y|et|e|en|with|mit|con|avec|com))?[ \\t]{1,8}(?:(?:the|a|das)[ \\t]{1,8})?(${PASSWORD})[ \\t]{1,8}["'\`]?([^\\s"'\`]{4,128})`,
  "giu",
);

/** "user bob and pass hunter22". "pass" counts only if something joins it to the user; otherwise it may be a verb. */
export function findUserThenPassword(text: string): Secret[] {
  return Array.from(text.matchAll(USER_THEN_PASSWORD)).flatMap((match) => {
    const [all, user = "", joined, name = "", raw = ""] = match;
    const password = trimEnd(raw, ".,;)!?");
    const end = match.index + all.length - raw.length + password.length;
    if (password === user || /^\d+$/.test(password) || (joined === undefined && /^pass$/i.test(name)))
      return [];
    const endsLine = /^["'`]?[.,;)!?]*[ \t]*(?:\r?\n|$)/.test(text.slice(end, end + 40));
    if (!looksLikePassword(password) && !(endsLine && looksLikeChosenWord(password, 10))) return [];
    return [{ what: "a password", start: end - password.length, end }];
  });
}

const COOKIES =
  /(?:(?<![\w-])(?:set-)?cookie["'`*]{0,3}[ \t]*:[ \t]*["'`]?|\s(?:-b|--cookie)[ =]["']?|document\.cookie[ \t]*=[ \t]*["'`])(?=[\w.%-]{1,64}=)([^\r\n"'`]{1,4096})/gi;
const PAIR = /(?<=^|;[ \t]?)([\w.%-]{1,64})=([^;,\s]{1,2048})/g;
const KEEPS_LOGIN = /sid$|sess|auth|token|jwt|login|remember|^id$/i;
const ATTRIBUTE = /^(?:expires|max-age|domain|path|samesite|priority)$/i;

/** `Cookie: sid=...`, `Set-Cookie: ...`, `curl -b sid=...`. A cookie with another name counts if its value looks random. */
export function findCookies(text: string): Secret[] {
  return Array.from(text.matchAll(COOKIES)).flatMap((match) => {
    const [all, pairs = ""] = match;
    const from = match.index + all.length - pairs.length;
    return Array.from(pairs.matchAll(PAIR)).flatMap(({ index, 0: pair, 1: name = "", 2: value = "" }) => {
      const start = from + index + pair.length - value.length;
      if (ATTRIBUTE.test(name) || !isCookie(name, decoded(value))) return [];
      return [{ what: "a session cookie", start, end: start + value.length }];
    });
  });
}

function isCookie(name: string, value: string): boolean {
  const short = value.slice(0, 256);
  if (!KEEPS_LOGIN.test(name)) return looksRandom(short, 24);
  const isMixed = short.length >= 8 && /\d/.test(short) && /[A-Za-z]/.test(short);
  return (isMixed || looksRandom(short, 16)) && !isPlaceholder(short);
}

/** Servers sign session ids: `s%3Aid.signature`. */
function decoded(value: string): string {
  return value.replace(/%3A/gi, ":").replace(/^s:/, "");
}

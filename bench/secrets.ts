/**
 * Errors of the secret scanner: `bun bench/secrets.ts <dir...>`. False positives on ordinary text (every `*.jsonl` and `*.md` in
 * the directories; in `node_modules` the README files), and detection of invented secrets of every kind.
 */
import { statSync } from "node:fs";
import { basename, join } from "node:path";
import { findSecrets, type Secret } from "../src/core/secrets/secrets.ts";

/** An invented secret in a realistic text. */
export interface MadeUp {
  readonly what: string;
  readonly text: string;
  /** The part that must be removed from `text`. */
  readonly secret: string;
}

const DIGITS = "0123456789";
const HEX = `${DIGITS}abcdef`;
const SMALL = "abcdefghijklmnopqrstuvwxyz";
const ALL = `${SMALL}${SMALL.toUpperCase()}${DIGITS}`;

/** The same in every run, and unlike any real key. */
function letters(length: number, alphabet = ALL, seed = length): string {
  let state = seed * 2_654_435_761 + alphabet.length;
  return Array.from({ length }, () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return alphabet[(state >>> 8) % alphabet.length];
  }).join("");
}

const base64 = (text: string) => btoa(text).replaceAll("=", "").replaceAll("+", "-").replaceAll("/", "_");
const pem = (kind: string, close = true) => {
  const dashes = "-".repeat(5);
  const body = letters(320, `${ALL}+/`).match(/.{64}/g)?.join("\n") ?? "";
  const key = `${dashes}BEGIN ${kind}${dashes}\n${body}`;
  return close ? `${key}\n${dashes}END ${kind}${dashes}` : key;
};
const withCheckDigit = (digits: string) =>
  Array.from(DIGITS, (digit) => digits + digit).find((number) => {
    const sum = Array.from(number)
      .reverse()
      .reduce((total, digit, index) => {
        const doubled = index % 2 === 1 ? Number(digit) * 2 : Number(digit);
        return total + (doubled > 9 ? doubled - 9 : doubled);
      }, 0);
    return sum % 10 === 0;
  }) ?? "";
const inFours = (number: string, separator: string) => number.match(/.{1,4}/g)?.join(separator) ?? "";

/** Keys recognisable on their own: [name, key]. */
export const MADE_UP_KEYS: readonly (readonly [what: string, key: string])[] = [
  ["an Anthropic API key", `sk-ant-api03-${letters(93, `${ALL}_-`)}AA`],
  ["an Anthropic API key", `sk-ant-oat01-${letters(60)}`],
  ["an OpenRouter API key", `sk-or-v1-${letters(64, HEX)}`],
  ["an OpenAI API key", `sk-proj-${letters(74)}T3BlbkFJ${letters(73)}`],
  ["an OpenAI API key", `sk-svcacct-${letters(60)}`],
  ["an OpenAI API key", `sk-${letters(48)}`],
  ["an OpenAI API key", `sk-${letters(32, HEX)}`],
  ["a Stripe key", `sk_live_${letters(24)}`],
  ["a Stripe key", `rk_live_${letters(24)}`],
  ["a Stripe key", `sk_test_${letters(99)}`],
  ["a webhook's signing secret", `whsec_${letters(32)}`],
  ["a Google API key", `AIza${letters(35, `${ALL}_-`)}`],
  ["a Google OAuth secret", `GOCSPX-${letters(28)}`],
  ["a Google OAuth token", `ya29.${letters(120)}`],
  ["an AWS access key", `AKIA${letters(16, `${SMALL.toUpperCase()}234567`)}`],
  ["an AWS access key", `ASIA${letters(16, `${SMALL.toUpperCase()}234567`, 3)}`],
  ["a GitHub token", `ghp_${letters(36)}`],
  ["a GitHub token", `gho_${letters(36)}`],
  ["a GitHub token", `ghu_${letters(36)}`],
  ["a GitHub token", `ghs_${letters(36)}`],
  ["a GitHub token", `ghr_${letters(36)}`],
  ["a GitHub token", `github_pat_${letters(22)}_${letters(59)}`],
  ["a GitLab token", `glpat-${letters(20)}`],
  ["a GitLab token", `glpat-${letters(27)}.01.${letters(9, HEX)}`],
  ["a Slack token", `xoxb-${letters(11, DIGITS)}-${letters(12, DIGITS)}-${letters(24)}`],
  ["a Slack token", `xoxp-${letters(12, DIGITS)}-${letters(12, DIGITS)}-${letters(32, HEX)}`],
  ["a Slack token", `xapp-1-A${letters(10, DIGITS)}-${letters(13, DIGITS)}-${letters(64, HEX)}`],
  [
    "a Slack webhook",
    `hooks.slack.com/services/T${letters(8, DIGITS)}/B${letters(8, DIGITS)}/${letters(24)}`,
  ],
  ["a Discord webhook", `discord.com/api/webhooks/${letters(18, DIGITS)}/${letters(68)}`],
  ["a Discord token", `${base64(`1${letters(17, DIGITS)}`)}.${letters(6)}.${letters(38)}`],
  ["a Telegram bot token", `${letters(10, "123456789")}:AA${letters(33)}`],
  ["a Twilio key", `SK${letters(32, HEX)}`],
  ["a SendGrid API key", `SG.${letters(22)}.${letters(43)}`],
  ["a Mailgun API key", `key-${letters(32, HEX)}`],
  ["a Mailgun API key", `${letters(32, HEX)}-${letters(8, HEX)}-${letters(8, HEX, 5)}`],
  ["an npm token", `npm_${letters(36)}`],
  ["a PyPI token", `pypi-AgEIcHlwaS5vcmc${letters(140)}`],
  ["a Hugging Face token", `hf_${letters(34, SMALL + SMALL.toUpperCase())}`],
  ["a Replicate token", `r8_${letters(37)}`],
  ["a Groq API key", `gsk_${letters(52)}`],
  ["an xAI API key", `xai-${letters(80)}`],
  ["a Perplexity API key", `pplx-${letters(48)}`],
  ["a DigitalOcean token", `dop_v1_${letters(64, HEX)}`],
  ["a Shopify token", `shpat_${letters(32, HEX)}`],
  ["a Linear API key", `lin_api_${letters(40)}`],
  ["a Notion token", `ntn_${letters(46)}`],
  ["a Notion token", `secret_${letters(43)}`],
  ["a Databricks token", `dapi${letters(32, HEX)}`],
  ["a Vercel token", `vcp_${letters(56)}`],
  ["a Supabase token", `sbp_${letters(40, HEX)}`],
  ["a Supabase key", `sb_secret_${letters(31)}`],
  ["a Cloudflare token", `cfut_${letters(48)}`],
  ["an age secret key", `AGE-SECRET-KEY-1${letters(58, "QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L")}`],
  ["a JSON web token", `${base64('{"alg":"HS256","typ":"JWT"}')}.${base64('{"sub":"1"}')}.${letters(43)}`],
  ["a private key", pem("RSA PRIVATE KEY")],
  ["a private key", pem("PRIVATE KEY")],
  ["a private key", pem("OPENSSH PRIVATE KEY")],
  ["a private key", pem("PGP PRIVATE KEY BLOCK")],
  ["a private key", pem("EC PRIVATE KEY", false)],
  ["a payment card number", withCheckDigit(`4${letters(14, DIGITS)}`)],
  ["a payment card number", inFours(withCheckDigit(`52${letters(13, DIGITS)}`), " ")],
  ["a payment card number", inFours(withCheckDigit(`6011${letters(11, DIGITS)}`), "-")],
  ["a payment card number", withCheckDigit(`37${letters(12, DIGITS)}`)],
];

const password = `Tr0ub${"4dor"}&3`;
const random = letters(40, ALL, 7);

/** Values that only their context makes secret: [name, before, value, after]. */
const MADE_UP_VALUES: readonly (readonly [what: string, before: string, secret: string, after: string])[] = [
  ["a password", "password: ", "hunter2", ""],
  ["a password", "my password is ", "hunter2", "."],
  ["a password", "The wifi password is ", "blue-Horse-42", " and the network is Home"],
  ["a password", "passwd is ", password, ""],
  ["a password", 'config = {"password": "', password, '"}'],
  ["a password", "DB_PASSWORD=", "s3cr3tv4lue", "\nDB_HOST=localhost"],
  ["a password", "**Password:** `", password, "`"],
  ["a password", "| password | ", password, " |"],
  ["a password", "| user | password |\n|---|---|\n| sam | ", password, " |"],
  ["a password", "The password for staging is ", password, ", ask Sam"],
  ["a password", "Server=db;Uid=sa;Pwd=", password, ";Encrypt=true"],
  ["a password", "mysql --user root --password ", password, " app"],
  ["a password", "<password>", password, "</password>"],
  ["a password", "- name: DB_PASSWORD\n  value: ", password, "\n"],
  ["a password", "", "hunter22", " is my password"],
  ["a password", "Das Passwort ist ", "Sommer2024", "."],
  ["a password", "Wi-Fi 密码是", "hunter22", "。"],
  ["a password", "curl -u admin:", password, " https://host"],
  ["a password", "password: ", "correcthorse", ""],
  ["a password", "user bob and pass ", "hunter22", ""],
  ["a session cookie", "Cookie: sid=", letters(24, HEX, 5), "; theme=dark"],
  ["a session cookie", "Set-Cookie: session=", letters(32), "; Path=/; HttpOnly"],
  ["a PIN", "PIN: ", "4821", ""],
  ["a PIN", "my PIN is ", "4821", "."],
  ["a passcode", "Zoom passcode: ", "839201", ""],
  ["a card's security code", "CVV: ", "123", ""],
  ["an API key", "api_key = ", letters(24), ""],
  ["an API key", "https://api.host/v1?api_key=", letters(24), "&page=2"],
  ["an API key", "X-API-Key: ", letters(32, HEX), ""],
  ["an API key", "The API key is `", letters(32), "`"],
  ["an API key", '"apiKey":"', "550e8400-e29b-41d4-a716-446655440000", '"'],
  ["a token", "UPSTASH_REDIS_REST_TOKEN=", letters(60), ""],
  ["a token", "TWILIO_AUTH_TOKEN: ", letters(32, HEX), ""],
  ["a token", "VERCEL_TOKEN=", letters(24), ""],
  ["a secret", "client_secret: ", letters(32), ""],
  ["a secret", "export JWT_SECRET='", letters(48), "'"],
  ["a key", "DATADOG_KEY=", letters(32, HEX), ""],
  ["a token in a header", "Authorization: Bearer ", letters(40), ""],
  ["a token in a header", '-H "Authorization: token ', letters(40, HEX), '"'],
  ["a password in a header", "Authorization: Basic ", btoa(`sam:${password}`), ""],
  ["a password in a URL", "postgres://app:", password, "@db.internal:5432/app"],
  ["a password in a URL", "rediss://default:", random, "@eu1-fine-cat-1.upstash.io:6379"],
  ["a password in a URL", "redis://:", "hunter2", "@cache:6379/0"],
  ["a password in a URL", "https://sam:", "swordfish", "@git.corp.net/repo.git"],
  ["an AWS secret key", "aws secret: ", letters(40, `${ALL}+/`, 9), ""],
  ["an Azure key", "AccountName=shop;AccountKey=", `${letters(86, `${ALL}+/`)}==`, ";"],
];

export const MADE_UP: readonly MadeUp[] = [
  ...MADE_UP_KEYS.map(([what, key]) => ({ what, text: `It is ${key} for now.`, secret: key })),
  ...MADE_UP_VALUES.map(([what, before, secret, after]) => ({
    what,
    text: `${before}${secret}${after}`,
    secret,
  })),
];

/** Fields with text; the others are ids and dates. */
const TEXT_FIELDS = ["text", "a", "b", "query", "answer", "caption"];

async function textsOf(directory: string): Promise<{ where: string; text: string }[]> {
  const isModules = basename(directory) === "node_modules";
  const pattern = isModules ? "**/{README,readme,Readme}.md" : "**/*.{md,jsonl}";
  const files = [...new Bun.Glob(pattern).scanSync({ cwd: directory, onlyFiles: true })].sort();
  const own = isModules ? files : files.filter((file) => !/(?:^|\/)node_modules\//.test(file));
  const texts: { where: string; text: string }[] = [];
  for (const file of own) {
    const content = await Bun.file(join(directory, file)).text();
    if (!file.endsWith(".jsonl")) texts.push({ where: file, text: content });
    else {
      for (const line of content.split("\n").filter((line) => line.trim() !== "")) {
        const row = JSON.parse(line) as Record<string, unknown>;
        for (const field of TEXT_FIELDS) {
          const text = row[field];
          if (typeof text === "string") texts.push({ where: `${file} ${row.id}`, text });
        }
      }
    }
  }
  return texts;
}

/** Forty characters of context, with the secret masked. */
function masked(text: string, { start, end }: Secret): string {
  const hidden = `${text.slice(start, start + 3)}***(${end - start})`;
  return `${text.slice(Math.max(0, start - 20), start)}${hidden}${text.slice(end, end + 20)}`.replace(
    /\s+/g,
    " ",
  );
}

async function printFalseAlarms(directory: string): Promise<void> {
  const texts = await textsOf(directory);
  const began = performance.now();
  const alarms = texts.flatMap(({ where, text }) =>
    findSecrets(text).map((secret) => `  ${where}: ${secret.what}: ${masked(text, secret)}`),
  );
  const took = performance.now() - began;
  const characters = texts.reduce((sum, { text }) => sum + text.length, 0);
  console.log(
    `${directory}: ${texts.length} texts, ${characters} characters, ${alarms.length} alarms, ${took.toFixed(0)} ms`,
  );
  for (const alarm of alarms) console.log(alarm);
}

function printDetection(): void {
  const missed = MADE_UP.filter(({ text, secret }) => {
    const start = text.indexOf(secret);
    return !findSecrets(text).some((found) => found.start <= start && found.end >= start + secret.length);
  });
  console.log(`made-up secrets: ${MADE_UP.length - missed.length} of ${MADE_UP.length} found`);
  for (const { what, text } of missed) console.log(`  missed: ${what}: ${text.slice(0, 60)}`);
}

if (import.meta.main) {
  const directories = process.argv.slice(2);
  if (directories.length === 0) console.log("No directories given, so false positives were not measured.");
  for (const directory of directories) {
    if (statSync(directory, { throwIfNoEntry: false })?.isDirectory()) await printFalseAlarms(directory);
    else console.log(`Skipped '${directory}': not a directory.`);
  }
  printDetection();
}

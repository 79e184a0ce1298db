/**
 * Finds keys and tokens by their format: a prefix, then a number of characters of an alphabet. All formats are one pattern, so a text
 * is scanned once. Only the last part of a format is unbounded, which keeps the work linear.
 */
import type { Secret } from "./secret.ts";
import { decodeBase64, isDense, isFiller, isMixed, trimEnd } from "./values.ts";

interface Shape {
  readonly what: string;
  readonly pattern: string;
  readonly holds: (key: string) => boolean;
}

const shape = (what: string, pattern: string, holds = (_: string) => true): Shape => ({
  what,
  pattern,
  holds,
});
/** For patterns that would also match a slug such as `sk-container-id-1`. */
const looseShape = (what: string, pattern: string): Shape => shape(what, pattern, isMixed);

/** For keys too short to have a long part between dashes. */
const isMixedOrDense = (key: string) => isMixed(key) || isDense(key.slice(key.indexOf("-") + 1), 2.2);
/** Other names also have numbers before a colon. */
const isRandomBehindColon = (key: string) => isDense(key.slice(key.indexOf(":") + 1), 2.8);
/** A Discord token starts with its account number in base64. */
const beginsWithNumber = (key: string) => /^\d{15,22}$/.test(decodeBase64(key.split(".")[0] ?? "") ?? "");

/** The first match counts, so specific formats come before general ones. */
const SHAPES: readonly Shape[] = [
  looseShape("an Anthropic API key", "sk-ant-[\\w-]{20,}"),
  looseShape("an OpenRouter API key", "sk-or-[\\w-]{20,}"),
  looseShape("an OpenAI API key", "sk-(?:proj|svcacct|admin|None)-[\\w-]{20,}"),
  shape("an OpenAI API key", "sk-[A-Za-z0-9]{32,}"),
  looseShape("an API key", "sk-[\\w-]{20,}"),
  shape("a Stripe key", "[sr]k_(?:live|test)_[A-Za-z0-9]{16,}"),
  shape("an ElevenLabs API key", "sk_[0-9a-f]{48}"),
  looseShape("a webhook's signing secret", "whsec_[A-Za-z0-9+/_-]{24,}"),
  shape("a Google API key", "AIza[\\w-]{35,}"),
  looseShape("a Google OAuth secret", "GOCSPX-[\\w-]{20,}"),
  looseShape("a Google OAuth token", "ya29\\.[\\w.-]{20,}"),
  shape("an AWS access key", "(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}(?![A-Za-z0-9])"),
  shape("an AWS Bedrock key", "ABSK[A-Za-z0-9+/]{60,}"),
  shape("a GitHub token", "gh[pousr]_[A-Za-z0-9]{30,}"),
  looseShape("a GitHub token", "github_pat_\\w{22,}"),
  shape("a GitLab token", "gl(?:pat|oas|dt|rt|cbt|ptt|ft|imt|agent|soat|ffct)-[\\w.-]{20,}", isMixedOrDense),
  looseShape("a Slack token", "xox[abeoprs](?:\\.xox[bp])?-[\\w-]{10,}"),
  shape("a Slack token", "xapp-\\d-[A-Z0-9]{5,20}-\\d{5,20}-[a-f0-9]{20,}"),
  shape("a Slack webhook", "hooks\\.slack\\.com/(?:services|workflows|triggers)/[A-Z0-9]{5,20}/[\\w/]{15,}"),
  shape("a Discord webhook", "discord(?:app)?\\.com/api/(?:v\\d{1,2}/)?webhooks/\\d{15,22}/[\\w-]{40,}"),
  shape("a Discord token", "(?<![\\w-])[MNO][\\w-]{22,27}\\.[\\w-]{6,7}\\.[\\w-]{27,}", beginsWithNumber),
  shape("a Discord token", "mfa\\.[\\w-]{80,}"),
  shape("a Telegram bot token", "(?:bot)?\\d{6,12}:[\\w-]{35}(?![\\w-])", isRandomBehindColon),
  shape("a Twilio key", "SK[0-9a-f]{32}(?![A-Za-z0-9])"),
  shape("a SendGrid API key", "SG\\.[\\w-]{16,32}\\.[\\w-]{30,}"),
  shape("a Mailgun API key", "(?<![\\w-])key-[0-9a-f]{32}(?![\\w-])"),
  shape("a Mailgun API key", "(?<![\\w-])[0-9a-f]{32}-[0-9a-f]{8}-[0-9a-f]{8}(?![\\w-])"),
  shape("a Mailchimp API key", "(?<![\\w-])[0-9a-f]{32}-us\\d{1,2}(?![\\w-])"),
  looseShape("a Resend API key", "re_[A-Za-z0-9]{6,12}_[A-Za-z0-9]{20,}"),
  shape("a Brevo API key", "xkeysib-[0-9a-f]{64}-[A-Za-z0-9]{16}"),
  shape("an npm token", "npm_[A-Za-z0-9]{30,}"),
  looseShape("a PyPI token", "pypi-[\\w-]{50,}"),
  shape("a RubyGems key", "rubygems_[0-9a-f]{48}"),
  shape("a Docker token", "dckr_[op]at_[\\w-]{20,}"),
  shape("a Hugging Face token", "(?:hf|api_org)_[A-Za-z0-9]{30,}"),
  shape("a Replicate token", "r8_[A-Za-z0-9]{30,}"),
  shape("a Groq API key", "gsk_[A-Za-z0-9]{30,}"),
  shape("an xAI API key", "xai-[A-Za-z0-9]{40,}"),
  shape("a Perplexity API key", "pplx-[A-Za-z0-9]{32,}"),
  shape("an NVIDIA API key", "nvapi-[\\w-]{40,}"),
  shape("a Cerebras API key", "csk-[a-z0-9]{40,}"),
  shape("a Pinecone API key", "pcsk_\\w{40,}"),
  shape("a LangSmith key", "lsv2_(?:pt|sk)_[0-9a-f]{32}_[0-9a-f]{8,}"),
  looseShape("a Tavily API key", "tvly-[\\w-]{20,}"),
  shape("a Firecrawl API key", "fc-[0-9a-f]{32}(?![\\w-])"),
  shape("a Jina API key", "jina_[\\w-]{40,}"),
  shape("a DigitalOcean token", "do[opr]_v1_[0-9a-f]{40,}"),
  shape("a Shopify token", "shp(?:at|ca|pa|ss)_[0-9a-fA-F]{32,}"),
  shape("a Linear API key", "lin_(?:api|oauth|wh)_[A-Za-z0-9]{30,}"),
  shape("a Notion token", "ntn_[A-Za-z0-9]{30,}"),
  shape("a Notion token", "secret_[A-Za-z0-9]{43}(?![A-Za-z0-9])"),
  shape("an Airtable token", "pat[A-Za-z0-9]{14}\\.[0-9a-f]{64}"),
  shape("a Databricks token", "dapi[0-9a-f]{32}(?:-\\d)?(?![A-Za-z0-9])"),
  shape("a Vercel token", "vc[pikar]_[A-Za-z0-9]{20,}"),
  shape("a Vercel token", "vercel_blob_rw_[A-Za-z0-9]{10,32}_[A-Za-z0-9]{20,}"),
  shape("a Netlify token", "nf[pcoub]_[A-Za-z0-9]{36,}"),
  shape("a Heroku key", "HRKU-[\\w-]{36,}"),
  looseShape("a Fly.io token", "(?:fm[12][ar]?|fo1)_[A-Za-z0-9+/=_-]{40,}"),
  looseShape("a Tailscale key", "tskey-[a-z]{2,12}-[\\w-]{20,}"),
  shape("a Cloudflare token", "cf(?:k|ut|at)_[A-Za-z0-9_-]{40,}"),
  shape("a Supabase token", "sbp_(?:v0_|oauth_)?[0-9a-f]{40}"),
  looseShape("a Supabase key", "sb_secret_[\\w-]{20,}"),
  looseShape("a PlanetScale secret", "pscale_(?:tkn|pw|oauth)_[\\w.-]{30,}"),
  shape("a Neon API key", "napi_[a-z0-9]{40,}"),
  looseShape("a HashiCorp Vault token", "hv[sbr]\\.[\\w-]{24,}"),
  looseShape("a Terraform token", "[A-Za-z0-9]{14}\\.atlasv1\\.[\\w-]{50,}"),
  looseShape("a Doppler token", "dp\\.(?:pt|st|ct|sa|scim|audit)\\.[\\w.-]{40,}"),
  shape("a 1Password token", "ops_eyJ[A-Za-z0-9+/=_-]{100,}"),
  shape("a Grafana token", "gl(?:sa_[A-Za-z0-9]{32}_[0-9a-f]{8}|c_eyJ[A-Za-z0-9+/=]{40,})"),
  shape("a Sentry token", "sntry[su]_[A-Za-z0-9+/=_]{40,}"),
  shape("a New Relic key", "NRAK-[A-Z0-9]{27}"),
  looseShape("a PostHog key", "ph[xs]_[A-Za-z0-9]{30,}"),
  looseShape("a Figma token", "fig[dour]_[\\w-]{30,}"),
  shape("a Postman API key", "PMAK-[0-9a-f]{24}-[0-9a-f]{34}"),
  looseShape("an Atlassian token", "ATATT3[\\w=-]{60,}"),
  shape("a Pulumi token", "pul-[0-9a-f]{40}"),
  shape("a HubSpot token", "pat-(?:na|eu|ap)\\d-[0-9a-f]{8}-[0-9a-f-]{27}"),
  shape("a Dropbox token", "sl\\.(?:u\\.)?[\\w-]{100,}"),
  shape("a Square token", "sq0(?:csp|atp)-[\\w-]{22,}"),
  shape("an Azure secret", "(?<![\\w~.-])[\\w~.]{3}\\dQ~[\\w~.-]{31,34}(?![\\w~.-])"),
  shape("an age secret key", "(?:AGE-SECRET-KEY-1|age-secret-key-1)[A-Za-z0-9]{50,}"),
  shape("a Nostr private key", "nsec1[a-z0-9]{58}"),
  shape("a wallet's private key", "xprv[1-9A-HJ-NP-Za-km-z]{100,}"),
];

/** A key never starts right after a letter or digit, except after an escape (`\n`, `%20`). */
const BEGINNING = "(?:(?<![A-Za-z0-9])|(?<=\\\\[nrt])|(?<=%[0-9A-Fa-f]{2}))";
const ANY_SHAPE = new RegExp(`${BEGINNING}(?:${SHAPES.map(({ pattern }) => `(${pattern})`).join("|")})`, "g");

/** Characters directly after a key belong to it or to another key. */
const WRITTEN_ON = /[\w-]*/y;

export function findShapes(text: string): Secret[] {
  const found: Secret[] = [];
  ANY_SHAPE.lastIndex = 0;
  for (let match = ANY_SHAPE.exec(text); match !== null; match = ANY_SHAPE.exec(text)) {
    const shape = SHAPES[match.findIndex((group, index) => index > 0 && group !== undefined) - 1];
    const key = trimEnd(match[0], ".");
    if (shape === undefined || isFiller(key) || !shape.holds(key)) continue;
    WRITTEN_ON.lastIndex = match.index + key.length;
    const end = match.index + key.length + (WRITTEN_ON.exec(text)?.[0].length ?? 0);
    found.push({ what: shape.what, start: match.index, end });
    ANY_SHAPE.lastIndex = end;
  }
  return found;
}

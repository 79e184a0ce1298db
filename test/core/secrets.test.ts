/** This file contains no whole key: the tests assemble them at run time (bench/secrets.ts). */
import { expect, test } from "bun:test";
import fc from "fast-check";
import { MADE_UP, MADE_UP_KEYS } from "../../bench/secrets.ts";
import { findSecrets, redactSecrets } from "../../src/core/secrets/secrets.ts";

const REMOVED = "[secret removed]";
const dashes = "-".repeat(5);
const keyOf = (what: string) => MADE_UP_KEYS.find(([name]) => name === what)?.[1] ?? "";
const GITHUB = keyOf("a GitHub token");
const RANDOM = ["Xk9vQ2mL", "p7RtZw4Y", "b8Nc3"].join("");
const LINE = "AbC1xYz9+/QwErTyUiOpAsDfGhJkLzXcVbNmQwErTyUiOpAs";

/** Texts with the secret between ⟦ and ⟧; without brackets, there is none. */
function check(texts: readonly string[]): void {
  for (const marked of texts) {
    const text = marked.replace(/[⟦⟧]/g, "");
    const expected = marked.replace(/⟦[^⟧]*⟧/g, REMOVED);
    expect(redactSecrets(text)).toBe(expected);
  }
}

const whatIs = (text: string) => findSecrets(text).map(({ what }) => what);

test("SECRET-1: keys and tokens are found by format and described", () => {
  expect(MADE_UP_KEYS.length).toBeGreaterThan(55);
  for (const [what, key] of MADE_UP_KEYS) {
    const text = `The key is\n${key}\nfor now.`;
    expect({ key, found: whatIs(text) }).toEqual({ key, found: [what] });
    expect(redactSecrets(text)).toBe(`The key is\n${REMOVED}\nfor now.`);
  }
});

test("SECRET-1: a key may have words and dashes before its random part", () => {
  check([
    `⟦${["tskey-", "auth-kQ7mW2xT9aCNTRL-", "h4Lr8VbN2kYp6ZdS1wXc5FgJ3tQm9Ra"].join("")}⟧, not tskey-auth-`,
  ]);
});

test("SECRET-1: random letters need no digits", () => {
  check([`⟦${["GOCSPX-", "JDdHczIpXyKD", "_MyIapARTiQf_LyLq"].join("")}⟧`]);
});

test("SECRET-1: a prefix, a slug and a placeholder key aren't secrets", () => {
  check([
    "sk-learn, sk-container-id-1, class='sk-estimator-doc-link sk-toggleable__content'",
    "sk-learn-random-forest-classifier-tuning",
    "pk_test is the prefix, sk_live_ and ghp_ too; npm_config_registry is a variable",
    `sk-${"x".repeat(40)} and ghp_${"x".repeat(36)}`,
    `AKIA${"IOSFODNN7"}EXAMPLE`,
    "sk-ant-your-api-key-goes-here",
    "sk-ant-api03-...",
    "hf_transfer, re_match_all_of_these_things, xai-model-card",
    "arn:aws:ec2::320805250157:ipam-resource-discovery-association/x",
  ]);
});

test("SECRET-1: a private key is removed as a whole, even if its end is missing", () => {
  const begin = (kind: string) => `${dashes}BEGIN ${kind}${dashes}`;
  const end = (kind: string) => `${dashes}END ${kind}${dashes}`;
  for (const kind of ["PRIVATE KEY", "RSA PRIVATE KEY", "OPENSSH PRIVATE KEY", "PGP PRIVATE KEY BLOCK"]) {
    check([
      `a\n⟦${begin(kind)}\n${LINE}\n${LINE}\n${end(kind)}⟧\nb`,
      `a\n⟦${begin(kind)}\n${LINE}\n${LINE}⟧\n\nAnd this is what we did with it, in five words.`,
      `{"key":"⟦${begin(kind)}\\n${LINE}\\n${LINE}\\n${end(kind)}⟧\\n"}`,
      `> ⟦${begin(kind)}\n> ${LINE}\n> ${LINE}\n> ${end(kind)}⟧`,
      `⟦${begin(kind)}\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,01AB\n\n${LINE}\n${LINE}⟧`,
      `⟦${begin(kind)}\n${LINE}⟧\n⟦${begin(kind)}\n${LINE}\n${end(kind)}⟧`,
    ]);
  }
  check([`Public-Lines: 1\n${LINE}\n⟦Private-Lines: 2\n${LINE}\n${LINE}⟧\nPrivate-MAC: 12ab`]);
});

test("SECRET-1: a heading without a key, a public key and a certificate aren't secrets", () => {
  check([
    `${dashes}BEGIN PRIVATE KEY${dashes} is how a PEM file begins`,
    `${dashes}BEGIN PRIVATE KEY${dashes}\n...\n${dashes}END PRIVATE KEY${dashes}`,
    `${dashes}BEGIN PUBLIC KEY${dashes}\n${LINE}\n${dashes}END PUBLIC KEY${dashes}`,
    `${dashes}BEGIN CERTIFICATE${dashes}\n${LINE}\n${dashes}END CERTIFICATE${dashes}`,
  ]);
});

test("SECRET-1: a JSON web token is one whose header decodes and names an algorithm", () => {
  const part = (value: unknown) => btoa(JSON.stringify(value)).replaceAll("=", "");
  const rest = `${part({ sub: "1", name: "Sam" })}.${RANDOM}`;
  check([
    `session ⟦${part({ alg: "RS256", kid: "a" })}.${rest}⟧.`,
    `${part({ typ: "JWT" })}.${rest}`,
    `eyJhbGciOiJI.${rest}`,
    `${part({ alg: "HS256" })}`,
  ]);
});

test("SECRET-1: passwords in URLs, headers and logins", () => {
  check([
    "postgres://app:⟦hunter2⟧@db.corp.net:5432/app",
    "mongodb+srv://sam:⟦Tr0ub@dor⟧@cluster0.mongodb.net",
    "postgres://u:⟦pa/ss#1⟧@db.internal/x",
    `rediss://default:⟦${RANDOM}⟧@eu1-fine-cat.upstash.io:6379`,
    "redis://:⟦hunter2⟧@cache:6379/0",
    "git clone https://sam:⟦swordfish⟧@git.corp.net/repo.git",
    "http://sam:⟦hunter2⟧@localhost:3000",
    `Authorization: Bearer ⟦${RANDOM}⟧`,
    `"authorization": "Token ⟦${RANDOM}⟧"`,
    `Authorization: Basic ⟦${btoa("sam:hunter2")}⟧`,
    "curl -u sam:⟦hunter2⟧ https://host",
    "login: sam / ⟦hunter2⟧",
  ]);
});

test("SECRET-1: placeholders in URLs and headers aren't secrets", () => {
  check([
    "https://user:password@example.com, https://user:pass@host/path, https://username:pwd@host",
    "postgres://postgres:postgres@localhost:5432/db",
    // biome-ignore lint/suspicious/noTemplateCurlyInString: a shell's variable
    "https://<user>:<password>@host and https://u:${PASSWORD}@host and https://u:$PW@host and https://u:***@host",
    // biome-ignore lint/suspicious/noTemplateCurlyInString: a shell's variable
    "https://user:pass@corp.net, https://u:${PASSWORD}@corp.net, amqp://guest:guest@mq.corp.net, ftp://anna:xyzzy@example.org",
    "redis://localhost:6379/0, http://localhost:3000/@types",
    "mongodb://localhost:27017/app?replyTo=sam@corp.net",
    "git@github.com:owner/repo.git, https://medium.com/@someone/how-i-did-it-3f2a9c1b7d",
    "Authorization: Bearer <token>, Authorization: Bearer $TOKEN, Bearer authentication, basic authentication",
    "Authorization: AWS4-HMAC-SHA256 Credential=",
    "aws policy/AmazonRoute53AutoNamingFullAccess, login: see the wiki/intranet, credentials: vault/prod",
  ]);
});

test("SECRET-1: a name makes its value secret", () => {
  check([
    "password: ⟦hunter2⟧",
    "pwd=⟦hunter2⟧",
    "my password is ⟦hunter2⟧.",
    "My Netflix password is: ⟦hunter2⟧",
    "The password was changed to ⟦hunter2⟧, then I set the password to ⟦hunter3x⟧",
    "the root password of the NAS is ⟦Blue42Horse⟧.",
    "password for the router (old): ⟦hunter2⟧",
    "⟦hunter22⟧ is the wifi password",
    "my password is ⟦correct-horse-battery-staple⟧",
    'passphrase: "⟦correct horse battery staple⟧"',
    "my password to the bank is '⟦swordfish⟧'",
    "password: ⟦P@ssw0rd⟧ password: ⟦Pa$$wOrdXyz⟧ password: ⟦qXvKpZtRwBn⟧ password: ⟦123456⟧",
    "password: ⟦a{9]Kd3!x⟧ password: ⟦h]6EszR}vJ*m⟧ password: ⟦tDjhgOAf⟧ password: ⟦(k9$N$f{}vK7⟧ my password is ⟦summer-2024⟧, her password was ⟦blue-horse-42⟧",
    "PIN: ⟦4821⟧, my PIN is ⟦4821⟧, passcode is ⟦839201⟧, CVV: ⟦123⟧",
    `api_key = ⟦${RANDOM}⟧`,
    `The API key is ⟦${RANDOM}⟧`,
    `OPENAI_KEY=⟦${RANDOM}⟧ SIGNING_SECRET=⟦${RANDOM}⟧ SOME_TOKEN=⟦${RANDOM}⟧`,
    `FOO_KEY: ⟦${"0f1e2d3c4b5a6978".repeat(2)}⟧`,
    "apiKey: '⟦550e8400-e29b-41d4-a716-446655440000⟧'",
    `aws_secret_access_key = ⟦wJalrXUtnFEMI/K7MDENG/${"bPxRfiCYZzQq9kLm2"}1⟧`,
  ]);
  expect(whatIs("my password is hunter2")).toEqual(["a password"]);
  expect(whatIs("PIN: 4821")).toEqual(["a PIN"]);
  expect(whatIs(`X-API-Key: ${RANDOM}`)).toEqual(["an API key"]);
});

test("SECRET-1: in any form: JSON, YAML, .env, a query, XML, an option, a table, other languages", () => {
  check([
    '{"user":"sam","password":"⟦hunter2⟧"}',
    '{\\"password\\":\\"⟦hunter2⟧\\",\\"a\\":1}',
    "db:\n  password: ⟦hunter2⟧\n  host: x",
    "- name: DB_PASSWORD\n  value: ⟦hunter2⟧\n",
    "kind: Secret\ndata:\n  password: ⟦aHVudGVyMg==⟧",
    "export PGPASSWORD=⟦hunter2⟧\nDB_PASS=⟦hunter2⟧",
    `https://host/v1?user=sam&api_key=⟦${RANDOM}⟧&page=2`,
    "Server=db;Uid=sa;Pwd=⟦hunter2⟧;Encrypt=true",
    "<password>⟦hunter2⟧</password><td>Password</td><td>⟦hunter2⟧</td>",
    "mysql --password ⟦hunter2⟧ --host x",
    "**Password:** ⟦hunter2⟧, `password`: `⟦hunter2⟧`, password: “⟦hunter2⟧”",
    "Password:\n\n```\n⟦hunter2⟧\n```",
    "| wifi password | ⟦hunter2⟧ |",
    "| user | password | note |\n|---|:---:|---|\n| sam | `⟦hunter2⟧` | a |\n| eve | unknown | b |\n\n| eve | hunter2 |",
    "Das Passwort lautet ⟦Sommer2024⟧. Mot de passe : ⟦hunter2⟧. Contraseña: ⟦hunter2⟧",
    "密码是⟦hunter2⟧。パスワードは⟦hunter2⟧です。пароль: ⟦hunter2⟧",
  ]);
});

test("SECRET-1: shell syntax, settings and words around a name don't hide it", () => {
  check([
    `export API_KEY=⟦${RANDOM}⟧`,
    `export TOKEN="⟦${RANDOM}⟧" && make`,
    `$env:TOKEN = "⟦${RANDOM}⟧"`,
    `config.secret = "⟦${RANDOM}⟧"; config.apiKey = '⟦${RANDOM}⟧'`,
    `default API key: ⟦${RANDOM}⟧, change the API key to ⟦${RANDOM}⟧`,
    "Das Passwort vom Router lautet ⟦Sommer2024⟧. Passwort zum NAS: ⟦hunter2⟧",
    "Le mot de passe du NAS est ⟦hunter22⟧. Password di Tom: ⟦hunter2⟧. password della rete: ⟦hunter2⟧",
    "senha do wifi: ⟦hunter2⟧. senha da rede: ⟦hunter2⟧. wachtwoord van de NAS is ⟦hunter22⟧. hasło do wifi: ⟦hunter2⟧",
    "sshpass -p '⟦hunter22⟧' ssh root@db; mysql -uroot -p⟦hunter22⟧ shop; mysqldump -u root -p⟦hunter22⟧ shop",
    `export_key: ${RANDOM}, config key: ${RANDOM}, cache_key=${RANDOM}, public key: ${RANDOM}, csrf_token=${RANDOM}`,
    "mysql -u root -p, mysql -h db -production, mkdir -p hunter22/x, sshpass -p $PASSWORD ssh db",
  ]);
});

test("SECRET-1: words, prose, placeholders, references and types aren't secret values", () => {
  check([
    "password reset flow uses a token. The API key is stored in 1Password.",
    "password: (ask Sam), password: ask Sam, Password: see 1Password, Passwort: siehe Tresor",
    "The password is required and case-sensitive; my password is too weak; her password was stolen",
    "The password is 12 characters long, minimum 8 characters, 1 digit, hashed with bcrypt, cost 12",
    'password: string, "password": "string", password: bcrypt, password: oauth2, password: min-8-chars',
    "password: <password>, password: ********, password: xxxxxxxx, password: changeme, password: your_password_here",
    // biome-ignore lint/suspicious/noTemplateCurlyInString: a shell's variable
    "password: ${DB_PASSWORD}, password: $DB_PASSWORD, password: {{ vault_password }}, password: %DB_PASSWORD%",
    'password: process.env.DB_PASSWORD, password = os.environ["DB_PASSWORD"], password=config.db.password2',
    "const password = await bcrypt.hash(req.body.password, 10); const token = jwt.sign({ id }, secret)",
    "OPENAI_API_KEY=sk-..., API_KEY=your-api-key-here, API_KEY=<your key>, apiKey: undefined, SECRET=SECRET_NAME_1",
    "token: Bearer, max_tokens: 4096, token limit of 200000, token count: 1234567890, token: color.blue.500",
    "The key is under the mat. cache_key: user:123:profile, primary_key = user_id2, S3 key: uploads/2024/img1.png",
    "public key: ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIOMqqnkVzrm0SdG6UOoqKLsabgH5C9okWi0dh2l9GKJl",
    "token: 0x6B175474E89094C44Da98b954EedeAC495271d0F",
    "pin: 13, pin the version to 1.2.3, PIN code: 560001, My PIN is secret, PASS: x86_64 tests",
    "secret: my-app-tls-2024, token: release-2024-05, password: prefix-{id1}, password: Optional[Base64Str]",
    "secret santa 2024, the secret is 42, secret: true, arn:aws:secretsmanager:us-west-2:1:secret:Mine-a1b2c3",
    "| token | password |\n|---|---|\n| optional | required |",
    "bypass: hunter2, compass = north42x, spin: 4821, PASS: libfoo42 ran, 1Password: Team42Vault",
    `cache_key: ${RANDOM}, next page token: ${RANDOM}, publicKeyToken=${RANDOM}`,
    "password is 2048 bits long. Password:\n2024 was a good year. The password is 'mandatory'",
    `key: ${"0f1e2d3c4b5a6978".repeat(2)}, password: $this->db2Pw!X9, password: &#x3C;Buffer1`,
    "key: abc123def456, key: 550e8400-e29b-41d4-a716-446655440000, key: MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE1a2b3c",
    "password: example123, API_KEY=my-sample-key-123456, password: mypassword1",
    "1Password is our password manager, Password123 is a bad password",
    "--password <password>, --token TOKEN, mysql -u root -p",
  ]);
});

/** Digits plus the check digit that satisfies Luhn, found by trying. */
const isCard = (number: string) => whatIs(number).includes("a payment card number");
const withCheckDigit = (digits: string) => Array.from("0123456789", (digit) => digits + digit);

test("SECRET-1: a card number has a known issuer and a valid check digit", () => {
  for (const digits of [
    "411111111111111",
    "555555555555444",
    "37828224631000",
    "601111111111111",
    "353011133330000",
  ])
    expect(withCheckDigit(digits).filter(isCard)).toHaveLength(1);
  for (const digits of ["111111111111111", "912345678901234", "000000000000000", "978316148410"])
    expect(withCheckDigit(digits).filter(isCard)).toEqual([]);
});

test("SECRET-1: it is grouped as on the card, and not part of something longer", () => {
  const ones = "1".repeat(12);
  const four = "1".repeat(4);
  check([
    `card ⟦4${four.slice(1)} ${four} ${four} ${four}⟧ 12/27 123`,
    `card ⟦4${four.slice(1)}-${four}-${four}-${four}⟧, or ⟦4${ones}${four.slice(1)}⟧`,
    `a4${ones}111b 4${ones}1112 4${ones}11111111 0.4${ones}111 /4${ones}111 +4${ones}111`,
    `4${four.slice(1)} ${four} ${four} ${four} ${four}`,
    `4${ones}111b, 4${ones}111.5, 4${ones}111/x, 4111 11-1111 111 111`,
    `order number 4${ones}111, order #4${ones}111, tracking id: 4${ones}111`,
    `visa ⟦4${"2".repeat(12)}⟧`,
    `4${"2".repeat(12)} is thirteen digits like any other`,
    "ISBN 978-3-16-148410-0, 9783161484100, +49 170 1234567, 555-0123-4567-8910, 1700000000000, 1700000000000000",
    "IBAN DE89 3704 0044 0532 0130 00",
  ]);
});

test("SECRET-1: quotes, marks, escapes and invisible characters don't hide a key", () => {
  expect(findSecrets(`${GITHUB}${GITHUB}`)).toEqual([{ what: "a GitHub token", start: 0, end: 80 }]);
  expect(whatIs(`password: x:${GITHUB}`)).toEqual(["a GitHub token"]);
  check([
    `password: ⟦${GITHUB}!tail9⟧`,
    `"⟦${GITHUB}⟧" '⟦${GITHUB}⟧' \`⟦${GITHUB}⟧\` (⟦${GITHUB}⟧) **⟦${GITHUB}⟧** <⟦${GITHUB}⟧>`,
    `{"a":"line\\n⟦${GITHUB}⟧\\n"} a%20⟦${GITHUB}⟧ | ⟦${GITHUB}⟧ | KEY=⟦${GITHUB}⟧; ⟦${GITHUB}⟧.`,
    `⟦${GITHUB.replace("_", "\\_")}⟧`,
    "pass\u200bword: ⟦hun\u200bter2⟧, my\u00a0password\u00a0is\u00a0⟦hunter2⟧",
  ]);
  fc.assert(
    fc.property(
      fc.constantFrom(...MADE_UP_KEYS.filter(([what]) => what !== "a private key")),
      fc.array(fc.tuple(fc.nat(), fc.constantFrom("\u200b", "\u2060", "\ufeff", "\u00ad", "\u{e0061}")), {
        maxLength: 5,
      }),
      ([, key], marks) => {
        const characters = Array.from(key);
        for (const [at, mark] of marks) characters[at % (key.length - 1)] += mark;
        expect(redactSecrets(`a ${characters.join("")} b`)).toBe(`a ${REMOVED} b`);
      },
    ),
  );
});

test("SECRET-1: hashes, ids, versions, names and base64 of ordinary text aren't secrets", () => {
  const random = fc.sample(fc.uint8Array({ minLength: 3_000, maxLength: 3_000 }), { numRuns: 20, seed: 1 });
  check([
    "commit 9fceb02d0ae598e95dc970b74767f19372d61af8, id 550e8400-e29b-41d4-a716-446655440000",
    "sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855, md5 5d41402abc4b2a76b9719d911017c592",
    '"integrity": "sha512-1+2Z3a4B5c6D7e8F9g0H1i2J3k4L5m6N7o8P9q0R1s2T3u4V5w6X7y8Z9a0B1c2D3e4F5g6H7i8J9k0LmnOpQ=="',
    "1.2.3-beta.4+build.5678, 2024-05-01T10:30:00.000Z, .css-1q2w3e4-Button{color:red}, claude-sonnet-4-20250514",
    ...random.map((bytes) => `![](data:image/png;base64,${bytes.toBase64()})`),
  ]);
});

const NAMES = "password,token,api_key,secret,my ,PIN,key,aws ,Bearer ,login".split(",");
const SIGNS = [...':=@|`"\n\\\u200b', " ", ": ", " is ", " | ", "://", "|---|\n", REMOVED];

/** Pieces that secrets are made of, in any order. */
const pieces = fc
  .array(
    fc.oneof(
      fc.constantFrom(...NAMES),
      fc.constantFrom(...SIGNS),
      fc.constantFrom(...MADE_UP_KEYS.map(([, key]) => key)),
      fc.constantFrom(...MADE_UP.map(({ text }) => text)),
      fc.string({ unit: "grapheme", maxLength: 20 }),
    ),
    { maxLength: 12 },
  )
  .map((parts) => parts.join(""));

test("DOCSECRET-3: secrets are in order and don't overlap; the redacted text has none and is otherwise unchanged", () => {
  fc.assert(
    fc.property(pieces, (text) => {
      let done = 0;
      let rest = "";
      for (const { what, start, end } of findSecrets(text)) {
        expect(what).toMatch(/^(?:an?|the) \w/);
        expect(start).toBeGreaterThanOrEqual(done);
        expect(end).toBeGreaterThan(start);
        expect(end).toBeLessThanOrEqual(text.length);
        rest += text.slice(done, start) + REMOVED;
        done = end;
      }
      const redacted = redactSecrets(text);
      expect(redacted).toBe(redactSecrets(rest + text.slice(done)));
      expect(findSecrets(redacted)).toEqual([]);
    }),
    { numRuns: 2_000 },
  );
});

test("DOCSECRET-3: no part of a made-up secret is left, wherever it is", () => {
  expect(MADE_UP.length).toBeGreaterThan(100);
  for (const { what, text, secret } of MADE_UP) {
    expect({ text, found: whatIs(text) }).toEqual({ text, found: [what] });
    expect(redactSecrets(text)).not.toContain(secret);
  }
  const around = fc.string({ unit: "grapheme", maxLength: 30 }).filter((text) => !/[\d\\%]/.test(text));
  fc.assert(
    fc.property(around, fc.constantFrom(...MADE_UP_KEYS), around, (before, [, key], after) => {
      expect(redactSecrets(`${before} ${key} ${after}`)).not.toContain(key);
    }),
  );
});

test("any text takes linear time", () => {
  fc.assert(fc.property(fc.string({ unit: "binary" }), (text) => Array.isArray(findSecrets(text))));
  const begin = `${dashes}BEGIN PRIVATE KEY${dashes}\n`;
  const hostile = [
    "a",
    "sk-",
    `${dashes}BEGIN`,
    begin,
    `${begin}Comment: `,
    "1",
    "4111 ",
    "eyJ",
    "eyJa1b2c3d4.",
    "password",
  ];
  hostile.push(
    "password=",
    "token=",
    "password for ",
    "://a:",
    "postgres://a:b",
    "authorization=",
    ...["user ", `user${" ".repeat(2_000)}`, "user bob, pass ", "Cookie: a=", "password: correcthorse, "],
    "|-|\n",
    "glpat-...",
    ".",
  );
  hostile.push(
    "\u200ba",
    "Private-Lines: 1\n",
    "aws secret ",
    "| password |\n|---|\n",
    "hunter2 is my ",
    "\\_",
    'password: "',
  );
  /** In µs of CPU time, which processes on the same cores don't change. */
  const cost = (unit: string, length: number) => {
    const text = unit.repeat(Math.ceil(length / unit.length));
    const before = process.cpuUsage();
    findSecrets(text);
    return process.cpuUsage(before).user;
  };
  for (const unit of hostile) {
    // Ten times the text; quadratic work would cost a hundred times as much, each time.
    const isLinear = () => cost(unit, 400_000) < 60 * Math.max(20_000, cost(unit, 40_000));
    expect({ unit, isLinear: isLinear() || isLinear() || isLinear() }).toEqual({ unit, isLinear: true });
  }
  for (const unit of ["a", "sk-", `${dashes}BEGIN`, "4"])
    expect(findSecrets(unit.repeat(1_000_000 / unit.length))).toEqual([]);
});

test("a secret may have any length", () => {
  const long = RANDOM.repeat(2_000);
  check([`token: ⟦${"Xk9vQ2m.".repeat(40)}Z⟧ b`]);
  check([
    `token: ⟦${long}⟧ b`,
    `password="⟦${long}⟧"`,
    `Authorization: Bearer ⟦${long}⟧`,
    `⟦sk-ant-${long}⟧ b`,
  ]);
});

test("SECRET-1: a password may be one plain word, if nothing else follows its name", () => {
  check([
    "password: ⟦correcthorse⟧",
    "Password: ⟦correcthorse⟧.\nHost: db",
    "password=⟦swordfish⟧\nuser=sam",
    "password: '⟦marmalade⟧'",
    '{"user": "sam", "password": "⟦marmalade⟧"}',
    "user: sam, password: ⟦correcthorse⟧, host: db",
    "wifi password: ⟦correcthorse⟧",
    "My password is ⟦correcthorse⟧.",
    "| user | password |\n|---|---|\n| sam | ⟦correcthorse⟧ |",
  ]);
  check([
    "password: required",
    "password: string",
    "Password: encrypted\nUser: optional",
    "password: authentication",
    "password: something",
    "function login(user: string, password: plaintext) {}",
    "{ email: email, password: plaintext, name: name }",
    "Password: lowercase letters only",
    "My password is complicated.",
    "My password is unguessable!",
    "password: whatever you like",
    "pass: everything",
  ]);
});

test("SECRET-1: session cookies are found in headers, options and prose", () => {
  check([
    "Cookie: sid=⟦8f3a9c1d77e2b4a0⟧",
    "Cookie: theme=dark; session_id=⟦k3Jx92LmQp⟧; lang=en",
    "Set-Cookie: connect.sid=⟦s%3Aq8Zt2LmPw9.xYz81kQ⟧; Path=/; HttpOnly",
    '"Cookie": "JSESSIONID=⟦1A530637289A03B07199A44E8D531427⟧"',
    `curl -b 'auth=⟦${RANDOM}⟧' https://host`,
    `curl --cookie "PHPSESSID=⟦298zf09hf012fh2⟧" https://host`,
    `Set-Cookie: id=⟦${RANDOM}⟧; Secure`,
    `The session cookie is ⟦${RANDOM}⟧.`,
  ]);
  check([
    "Cookie: theme=dark; lang=en",
    "Set-Cookie: foo=bar; Path=/; Expires=Wed, 21 Oct 2015 07:28:00 GMT",
    "Cookie: sid=...; Set-Cookie: session=<value>",
    "Set-Cookie: session=your-session-id; Max-Age=3600",
    "The cookie: sid is set by the server. A cookie has name=value pairs.",
    "A session cookie is deleted when the browser closes.",
    "Cookie: _ga=GA1.2.3; consent=accepted",
  ]);
});

test("SECRET-1: a password after a user name needs no sign", () => {
  check([
    "user bob and pass ⟦hunter22⟧",
    "Log in with user bob and password ⟦hunter22⟧, then restart.",
    "username bob / pw ⟦hunter22⟧",
    "login bob, pass ⟦Sommer2024⟧",
    "Benutzer bob und Passwort ⟦hunter22⟧",
    "user bob and pass ⟦correcthorse⟧",
    "account: bob password ⟦hunter22⟧",
  ]);
  check([
    "the user can pass base64",
    "A user may pass 1000 items.",
    "user input and pass validation",
    "username and password",
    "Let the user choose and pass arguments",
    "user name and password authentication",
  ]);
});

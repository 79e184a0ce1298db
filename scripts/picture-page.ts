/** Takes pictures of the real web page in a real Chromium, with a fake model. Run: bun scripts/picture-page.ts. It writes docs/images. */
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium, type Page } from "playwright-core";
import { openRetain } from "../src/index.ts";
import { AnthropicServer } from "../test/helpers/anthropic-server.ts";
import { RETAIN } from "../test/helpers/command.ts";
import { CHROMIUM } from "../test/helpers/needs.ts";

const IMAGES = join(import.meta.dir, "../docs/images");
const WIDE = { width: 1100, height: 700 };

const REPLY = `Deploys are on **Thursdays**, after the release notes are out. This sends them:

\`\`\`sh
make release-notes && make deploy
\`\`\`

[MEMORY] Release notes come before each deploy`;

/** Facts by the day they were said, a week apart. */
const WEEKS: readonly (readonly string[])[] = [
  ["Deploys are on Tuesdays", "Ada reviews every change of the parser"],
  ["The staging database is Postgres 15", "I prefer short answers with code first"],
  ["I live in Lisbon", "The mast of the boat needs new stays before June"],
  ["Deploys are on Thursdays now", "The parser reads tabs and commas"],
];

const home = mkdtempSync(join(tmpdir(), "retain-picture-"));
const work = join(home, "parser");
mkdirSync(work);
const DAY_MS = 86_400_000;
let clock = new Date(Date.now() - 28 * DAY_MS);
const retain = openRetain({
  ...{ cwd: work, homeDirectory: home, env: {}, clock: () => clock },
});
for (const facts of WEEKS) {
  for (const fact of facts) {
    await retain.facts.remember(fact);
    clock = new Date(clock.getTime() + 3_600_000);
  }
  clock = new Date(clock.getTime() + 7 * DAY_MS);
}
await retain.documents.put({
  content: "# Releases\n\nWe deploy the parser after the release notes are out.",
  id: "releases",
});
await retain.documents.put({
  content: "# Rollback\n\nRun `make rollback`, then tell the team.",
  id: "rollback",
});
await retain.documents.put({
  content: "# Rollback\n\n1. Run `make rollback`.\n2. Tell the team.\n3. Write down what happened.",
  id: "rollback",
  tags: ["ops"],
});
await retain.facts.writeUnconfirmed([
  {
    about: "person",
    fact: {
      ...{ text: "The user drinks tea in the morning", category: null, chat: null },
      source: { by: "learn", session: null, message: null, trust: "inferred", tags: [] },
    },
  },
]);
retain.close();

await using model = await new AnthropicServer(() => ({
  text: REPLY,
  usage: { input: 900, output: 60 },
})).start();
const server = Bun.spawn([RETAIN, "serve", "--port", "0", "--no-open", "--json"], {
  cwd: work,
  env: {
    PATH: process.env.PATH,
    HOME: home,
    ANTHROPIC_BASE_URL: model.url,
    ANTHROPIC_API_KEY: "sk-ant-stand-in-0123456789",
  },
  stdout: "pipe",
  stderr: "ignore",
});
process.on("exit", () => server.kill());
let printed = "";
for await (const chunk of server.stdout) {
  printed += Buffer.from(chunk).toString();
  if (printed.trimEnd().endsWith("\n}")) break;
}
const { url, page: link } = JSON.parse(printed).data;

const browser = await chromium.launch({ executablePath: CHROMIUM, args: ["--no-sandbox"] });
const context = await browser.newContext({ viewport: WIDE, deviceScaleFactor: 1.25 });
const page = await context.newPage();
await page.goto(link);
await page.getByRole("textbox", { name: "Message" }).waitFor();

async function take(name: string, view: string, prepare: (page: Page) => Promise<unknown>): Promise<void> {
  await page.goto(`${url}#/${view}`);
  await prepare(page);
  await page.screenshot({ path: join(IMAGES, `web-${name}.png`) });
}

await take("chat", "chat", async () => {
  await page.getByRole("textbox", { name: "Message" }).fill("When do we deploy?");
  await page.keyboard.press("Enter");
  await page.getByText("Memory saved").waitFor();
  await page.getByText(/memor(?:y|ies) used/).click();
});
await take("memory", "memory?q=deploys", async () => {
  await page.getByRole("main").getByText("on Thursdays now").first().click();
  await page.getByRole("heading", { name: "History" }).waitFor();
});
await page.emulateMedia({ colorScheme: "dark" });
await take("overview", "overview", () => page.getByRole("heading", { name: /^Learned/ }).waitFor());
await page.setViewportSize({ width: 390, height: 680 });
await take("review", "review", () => page.getByText("drinks tea").waitFor());

await browser.close();
server.kill();
await server.exited;
rmSync(home, { recursive: true });

/**
 * The web page in a real Chromium: its size, how soon it can be used, and how a long list scrolls. The server has `memories`
 * documents. `bun run build && bun bench/page.ts [memories]`
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium } from "playwright-core";
import { openRetain } from "../src/index.ts";

const count = Number(process.argv[2] ?? 10_000);
const ROUNDS = 10;
const root = join(import.meta.dir, "..");
const home = mkdtempSync(join(tmpdir(), "retain-bench-"));
const env = { PATH: process.env.PATH, HOME: home };

const retain = openRetain({ cwd: home, homeDirectory: home, env: {}, settings: { embedding: "none" } });
const sources = Array.from({ length: count }, (_, index) => ({
  name: `note-${index}`,
  read: () => ({ content: `# Note ${index}\n\nThe harbour opens at ${index % 24}.`, id: `note-${index}` }),
}));
await retain.documents.putMany(sources);
retain.close();

const serve = [join(root, "bin/retain"), "serve", "--port", "0", "--no-open", "--json"];
const server = Bun.spawn(serve, { cwd: home, env, stdout: "pipe", stderr: "ignore" });
let printed = "";
for await (const chunk of server.stdout) {
  printed += Buffer.from(chunk).toString();
  if (printed.trimEnd().endsWith("\n}")) break;
}
const { url, page: link } = JSON.parse(printed).data;

const browser = await chromium.launch({
  executablePath: Bun.which("chromium") ?? "",
  args: ["--no-sandbox"],
});
const context = await browser.newContext({ viewport: { width: 1100, height: 760 } });
const page = await context.newPage();
await page.goto(link);
await page.getByRole("navigation").waitFor();

/** Prints the time at which the view's first field takes text. Playwright's own ways to wait would run their code in the page. */
await page.addInitScript(() => {
  const observer = new MutationObserver(() => {
    if (document.querySelector("main textarea:enabled, main input:enabled") === null) return;
    console.log(`usable ${performance.now()}`);
    observer.disconnect();
  });
  observer.observe(document, { childList: true, subtree: true, attributes: true });
});

/** Milliseconds from the start of the navigation, for which a new tab starts a process of its own. */
async function usable(address: string, isNewTab: boolean): Promise<number> {
  await page.goto(isNewTab ? "about:blank" : address);
  const printed = page.waitForEvent("console", (message) => message.text().startsWith("usable "));
  await (isNewTab ? page.goto(address) : page.reload());
  return Number((await printed).text().slice("usable ".length));
}

/** What Chromium needs for any page: a field and nothing else. */
using bare = Bun.serve({
  port: 0,
  fetch: () => new Response("<main><input></main>", { headers: { "content-type": "text/html" } }),
});
const views = { "a page with one field": bare.url.href, chat: `${url}#/chat`, memory: `${url}#/memory` };

const median = (times: number[]) => times.sort((a, b) => a - b)[times.length >> 1] ?? 0;
for (const isNewTab of [true, false]) {
  const times = new Map(Object.keys(views).map((view) => [view, [] as number[]]));
  for (let round = 0; round < ROUNDS; round++)
    for (const [view, address] of Object.entries(views))
      times.get(view)?.push(await usable(address, isNewTab));
  const where = isNewTab ? "in a new tab" : "reloaded";
  for (const [view, own] of times)
    console.log(
      `${view}, ${where}: usable after ${median(own).toFixed(0)} ms, least ${Math.min(...own).toFixed(0)} (median of ${ROUNDS}, goal 300)`,
    );
}

const bytes = await page.evaluate(() =>
  performance
    .getEntriesByType("resource")
    .filter(({ name }) => name.endsWith(".js"))
    .map((entry) => (entry as PerformanceResourceTiming).encodedBodySize)
    .reduce((sum, size) => sum + size, 0),
);
console.log(`JavaScript: ${(bytes / 1_000).toFixed(0)} KB compressed (goal 250)`);

await page
  .getByText(/^Note \d/)
  .first()
  .waitFor();

/** Scrolls a list from top to bottom in steps of one frame; the longest frames show whether it jerks. */
const frames = await page.evaluate(async () => {
  const list = [...document.querySelectorAll("main *")].find(
    (element) => element.scrollHeight > 10 * element.clientHeight && element.clientHeight > 100,
  );
  if (list === undefined) return null;
  const lengths: number[] = [];
  const steps = 120;
  let before = performance.now();
  for (let step = 1; step <= steps; step++) {
    list.scrollTop = (list.scrollHeight * step) / steps;
    await new Promise(requestAnimationFrame);
    const now = performance.now();
    lengths.push(now - before);
    before = now;
  }
  return { height: list.scrollHeight, lengths };
});
if (frames === null) console.log("The list is too short to scroll.");
else {
  const sorted = frames.lengths.sort((a, b) => a - b);
  const at = (share: number) => (sorted[Math.floor((sorted.length - 1) * share)] ?? 0).toFixed(0);
  console.log(
    `scrolling ${count} memories: a frame takes ${at(0.5)} ms, p95 ${at(0.95)} ms, the longest ${at(1)} ms`,
  );
}
await browser.close();
server.kill();
await server.exited;
rmSync(home, { recursive: true });

/** The real page: `retain serve`, opened by its link in a real Chromium. */
import { AxeBuilder } from "@axe-core/playwright";
import { type Browser, type BrowserContextOptions, chromium, type Page } from "playwright-core";
import { afterThisTest } from "../helpers/clean-up.ts";
import { CHROMIUM, testNeeding } from "../helpers/needs.ts";
import { Sandbox } from "../helpers/sandbox.ts";
import { startServer } from "../mcp/clients.ts";

export const testInBrowser = testNeeding("chromium");

export interface Opened {
  readonly page: Page;
  readonly sandbox: Sandbox;
  /** Without a slash at the end. */
  readonly url: string;
  /** The link that logs in, once. */
  readonly link: string;
  /** What the page wrote to the console as errors, and its uncaught errors. */
  readonly errors: readonly string[];
}

export interface Opening {
  readonly sandbox?: Sandbox;
  /** Variables of the server, as for a stand-in model. */
  readonly env?: Readonly<Record<string, string>>;
  readonly context?: BrowserContextOptions;
  /** The view to open, such as "/memory". */
  readonly at?: string;
}

/** Starts the server and opens its link, or logs in with its code and opens a view, without the chat that the link opens. */
export async function openPage({
  sandbox = new Sandbox(),
  env = {},
  context,
  at,
}: Opening = {}): Promise<Opened> {
  const { data } = await startServer(sandbox, ["serve"], ["--no-open"], env);
  const opened = await newPage(context);
  const url = data.url.replace(/\/$/, "");
  if (at === undefined) await opened.page.goto(data.page);
  else {
    const headers = { Authorization: `Bearer ${data.page.split("code=")[1]}` };
    const login = await opened.page.context().request.post(`${url}/app/login`, { headers });
    const { key } = await login.json();
    await opened.page.addInitScript(`localStorage.setItem("key", ${JSON.stringify(key)})`);
    await opened.page.goto(`${url}/#${at}`);
  }
  await opened.page.getByRole("navigation").waitFor();
  return { ...opened, sandbox, url, link: data.page };
}

/** A browser without cookies. */
export async function newPage(options: BrowserContextOptions = {}): Promise<Pick<Opened, "page" | "errors">> {
  const context = await (await browser()).newContext({ viewport: { width: 1100, height: 760 }, ...options });
  afterThisTest(() => context.close());
  const page = await context.newPage();
  page.setDefaultTimeout(20_000);
  const errors: string[] = [];
  page.on("pageerror", (error) => errors.push(String(error)));
  page.on("console", (message) => {
    if (message.type() === "error") errors.push(message.text());
  });
  return { page, errors };
}

let started: Promise<Browser> | null = null;

/**
 * Chromium opens two pages of its own for the address bar of each window, which take more than half of the time. It obeys the last
 * list of features only, so those that Playwright switches off are repeated: they concern timing and requests to the network.
 */
const OFF = [
  ...["WebUIOmniboxPopup", "WebUIOmniboxAimPopup"],
  ...["AvoidUnnecessaryBeforeUnloadCheckSync", "PaintHolding", "DestroyProfileOnBrowserClose", "LensOverlay"],
  ...["HttpsUpgrades", "HttpsFirstBalancedModeAutoEnable", "ThirdPartyStoragePartitioning", "MediaRouter"],
  ...["AvoidCorsURLLoaderRestartOnRedirect", "OptimizationHints", "NetworkTimeServiceQuerying"],
  ...["AimEnabled", "PreconnectToSearch"],
];

/** One for all tests of a process; Playwright ends it with the process. */
function browser(): Promise<Browser> {
  const isRoot = process.getuid?.() === 0;
  const args = [`--disable-features=${OFF.join()}`, ...(isRoot ? ["--no-sandbox"] : [])];
  started ??= chromium.launch({ executablePath: CHROMIUM, args });
  return started;
}

/** The serious faults that axe finds on the page as it is now. Its legacy mode opens no second page to collect what frames have. */
export async function faults(page: Page): Promise<string[]> {
  const axe = new AxeBuilder({ page }).setLegacyMode().options({ resultTypes: ["violations"] });
  const { violations } = await axe.analyze();
  return violations
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .flatMap(({ id, nodes }) =>
      nodes.map(({ target, failureSummary }) => `${id}: ${target} ${failureSummary}`),
    );
}

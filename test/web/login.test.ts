/** Who may use the page. */
import { expect } from "bun:test";
import { startServer } from "../mcp/clients.ts";
import { newPage, openPage, testInBrowser } from "./browser.ts";

testInBrowser("WEB-1: the printed link logs a browser in, once; another needs the token", async () => {
  const { page, link, url, sandbox, errors } = await openPage();
  expect(page.url()).not.toContain("code");
  await page.reload();
  await page.getByRole("navigation").waitFor();
  const [cookie] = await page.context().cookies();
  expect(cookie).toMatchObject({ httpOnly: true, sameSite: "Strict" });
  expect(errors).toEqual([]);

  const other = await newPage();
  await other.page.goto(link);
  await other.page.getByLabel("Token").fill("not the token at all");
  await other.page.getByRole("button", { name: "Log in" }).click();
  await other.page.getByRole("alert").waitFor();
  expect((await fetch(`${url}/app/hello`, { method: "POST", body: "{}" })).status).toBe(401);
  await other.page.getByLabel("Token").fill(sandbox.ok(["serve", "token"]).stdout.trim());
  await other.page.getByRole("button", { name: "Log in" }).click();
  await other.page.getByRole("navigation").waitFor();

  // The link of a restarted server, in the tab that asks for it: only the part after # changes.
  const again = await startServer(sandbox, ["serve"], ["--no-open"]);
  const late = await newPage();
  await late.page.goto(again.data.url);
  await late.page.getByLabel("Token").waitFor();
  await late.page.goto(again.data.page);
  await late.page.getByRole("navigation").waitFor();
  expect(late.page.url()).not.toContain("code");
});

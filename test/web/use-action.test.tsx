/** What the user started, in Ink instead of a browser. */
import { expect, test } from "bun:test";
import { PassThrough } from "node:stream";
import { render } from "ink";
import { CallFailed } from "../../src/web/api.ts";
import { type Action, useAction } from "../../src/web/use-action.ts";
import { afterThisTest } from "../helpers/clean-up.ts";

test("an action that fails with a bug can be tried again, and a refused call is shown", async () => {
  let action: Action | null = null;
  function Shown() {
    action = useAction();
    return null;
  }
  const { unmount, waitUntilRenderFlush } = render(<Shown />, {
    stdout: new PassThrough() as unknown as NodeJS.WriteStream,
    patchConsole: false,
  });
  afterThisTest(unmount);
  const run = async (error: Error) => {
    const ended = await action?.run(() => Promise.reject(error)).catch((thrown: unknown) => thrown);
    await Bun.sleep(0);
    await waitUntilRenderFlush();
    return [ended, action?.isBusy, action?.error];
  };
  const bug = new TypeError("x is undefined");
  expect(await run(bug)).toEqual([bug, false, null]);
  const refused = new CallFailed("usage", "No.", null);
  expect(await run(refused)).toEqual([false, false, refused]);
});

/** Streams to browsers, without a network. */
import { expect, test } from "bun:test";
import { type StreamEvent, Streams } from "../../../src/serve/page/streams.ts";

const MEGABYTE = "x".repeat(1_000_000);

function opened(replayed: readonly string[] = [], request = new Request("http://localhost/")) {
  const streams = new Streams();
  let isFollowed = false;
  let send = (_: StreamEvent) => {};
  const response = streams.open(request, (pass) => {
    isFollowed = true;
    send = pass;
    for (const [index, data] of replayed.entries()) pass({ id: `${index}`, event: "chat", data });
    return () => {
      isFollowed = false;
    };
  });
  return {
    ...{ streams, response },
    isFollowed: () => isFollowed,
    send: (data: string) => send({ id: "1", event: "chat", data }),
  };
}

test("a stream ends when its reader falls far behind, and a long replay still arrives whole", async () => {
  const slow = opened();
  for (let sent = 0; sent < 50 && slow.isFollowed(); sent++) slow.send(MEGABYTE);
  expect(slow.streams.size).toBe(0);
  expect((await slow.response.text()).length).toBeLessThan(20 * MEGABYTE.length);

  const replayed = opened(Array.from({ length: 30 }, () => MEGABYTE));
  expect(replayed.isFollowed()).toBe(true);
  replayed.streams.close();
  expect((await replayed.response.text()).length).toBeGreaterThan(30 * MEGABYTE.length);
});

test("WEB-3: text arrives whole, whatever line separators it contains", async () => {
  const { streams, response, send } = opened();
  send("one\u2028two\u2029three\nfour\r\nfive\rsix");
  streams.close();
  expect(await response.text()).toContain(
    "\ndata: one\u2028two\u2029three\ndata: four\ndata: five\ndata: six\n\n",
  );
});

test("a stream for a browser that has already left ends at once", () => {
  const gone = opened([], new Request("http://localhost/", { signal: AbortSignal.abort() }));
  expect(gone.isFollowed()).toBe(false);
  expect(gone.streams.size).toBe(0);
});

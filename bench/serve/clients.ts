/** Clients of a server, in a process of their own as real ones are: each retains and recalls in turn over its own connection. */
export interface Load {
  readonly base: string;
  readonly token: string;
  readonly clients: number;
  readonly seconds: number;
  /** Documents are numbered from here. */
  readonly first: number;
}

const THINGS = ["harbour", "lantern", "violin", "orchard", "compass", "granite", "saffron", "meadow"];

export function word(number: number): string {
  return THINGS[number % THINGS.length] ?? "";
}

export function text(number: number): string {
  return `Note ${number}: the ${word(number)} near the ${word(number >> 3)} ${number % 97}`;
}

/** Posts to a bank. Throws if the server refuses. */
export function poster({ base, token }: Pick<Load, "base" | "token">) {
  const headers = { Authorization: `Bearer ${token}` };
  return async (path: string, body: object): Promise<unknown> => {
    const response = await fetch(`${base}${path}`, { method: "POST", headers, body: JSON.stringify(body) });
    if (!response.ok) throw new Error(await response.text());
    return response.json();
  };
}

/** Requests a second. */
export async function rateOf(load: Load): Promise<number> {
  const child = Bun.spawn([process.execPath, import.meta.path, JSON.stringify(load)], { stdout: "pipe" });
  const printed = await new Response(child.stdout).text();
  if ((await child.exited) !== 0) throw new Error("The clients failed");
  return Number(printed);
}

if (import.meta.main) {
  const load = JSON.parse(process.argv[2] ?? "") as Load;
  const post = poster(load);
  let turns = load.first;
  const end = performance.now() + load.seconds * 1_000;
  const client = async () => {
    while (performance.now() < end) {
      const turn = turns++;
      await post("/memories/recall", { query: text(turn * 7) });
      await post("/memories", { items: [{ content: text(turn), document_id: `turn-${turn}` }] });
    }
  };
  await Promise.all(Array.from({ length: load.clients }, client));
  console.log((2 * (turns - load.first)) / load.seconds);
}

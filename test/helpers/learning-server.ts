/** A stand-in for a model that reads conversations: it speaks OpenAI's chat completions, and answers from what it was shown. */
import { OpenAiServer, type RecordedRequest } from "./openai-server.ts";

export interface ShownTurn {
  readonly role: "user" | "assistant";
  readonly day: string;
  readonly text: string;
}

/** What the prompt of a batch shows. */
export interface ShownBatch {
  readonly turns: readonly ShownTurn[];
  readonly earlier: readonly ShownTurn[];
  /** Known facts, each with the id that it was shown with. */
  readonly known: readonly { readonly id: string; readonly text: string }[];
  /** Pairs in doubt. */
  readonly pairs: readonly { readonly newer: string; readonly older: string }[];
  readonly rejected: readonly string[];
}

export interface ScriptedFact {
  readonly text: string;
  readonly quote: string;
  readonly about?: "person" | "project";
  readonly replaces?: readonly string[];
  readonly key?: string;
  readonly because?: string;
}

export interface ScriptedAnswer {
  readonly facts?: readonly ScriptedFact[];
  readonly ended?: readonly { readonly id: string; readonly quote: string; readonly because?: string }[];
  readonly pairs?: readonly {
    readonly newer: string;
    readonly decision: string;
    readonly because?: string;
  }[];
}

export class LearningServer extends OpenAiServer {
  /** A text is answered as it is. As a chat's model it only ever says "Noted.". */
  constructor(answer: (shown: ShownBatch, number: number) => ScriptedAnswer | string) {
    let number = 0;
    super((request) => {
      const prompt = promptOf(request);
      const said = isAboutLearning(prompt) ? answer(shownIn(prompt), ++number) : "Noted.";
      const text =
        typeof said === "string" ? said : JSON.stringify({ facts: [], ended: [], pairs: [], ...said });
      // About four characters make a token.
      const usage = { input: Math.ceil(request.bodyText.length / 4), output: Math.ceil(text.length / 4) };
      return { chunks: [text], usage };
    });
  }

  /** The prompts of those requests that were about learning. */
  get prompts(): string[] {
    return this.requests.map(promptOf).filter(isAboutLearning);
  }

  /** What a sandbox's `retain` needs to use it as "standin/reader". */
  get config(): string {
    return [
      "learning_model: standin/reader",
      "model_endpoints:",
      "  - name: standin",
      `    url: ${this.url}`,
      "embedding: none",
      "",
    ].join("\n");
  }
}

function isAboutLearning(prompt: string): boolean {
  return prompt.startsWith("# Learn from a conversation");
}

export function promptOf({ body }: RecordedRequest): string {
  const { content } = body.messages.at(-1);
  return typeof content === "string" ? content : content.map((part: { text: string }) => part.text).join("");
}

export function shownIn(prompt: string): ShownBatch {
  const part = (name: string) => new RegExp(`<${name}>\n([\\s\\S]*?)\n</${name}>`).exec(prompt)?.[1] ?? "";
  const turns = (name: string) =>
    part(name)
      .split("\n")
      .filter((line) => line.startsWith("{"))
      .map((line) => JSON.parse(line) as ShownTurn);
  return {
    turns: turns("turns"),
    earlier: turns("earlier"),
    known: [...part("known").matchAll(/^- (\w+) \([^)]*\): (.*)$/gm)].map(([, id = "", text = ""]) => ({
      id,
      text,
    })),
    pairs: [...part("doubt").matchAll(/^- newer (\w+), older (\w+)$/gm)].map(
      ([, newer = "", older = ""]) => ({
        newer,
        older,
      }),
    ),
    rejected: [...part("rejected").matchAll(/^- (.*)$/gm)].map(([, text = ""]) => text),
  };
}

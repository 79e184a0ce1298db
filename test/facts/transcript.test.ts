/** The retainable parts of a conversation. */
import { expect, test } from "bun:test";
import fc from "fast-check";
import { isChitChat } from "../../src/core/language/chit-chat.ts";
import type { Message } from "../../src/core/sessions/conversation.ts";
import { episodeOf, exchangesOf, retainable } from "../../src/facts/transcript.ts";
import { said } from "../helpers/conversations.ts";

const SESSION = { session: "s1", chat: "main", title: "Talk" };

function conversation(...messages: [Message["role"], string][]): Message[] {
  return messages.map(([role, content], index) => ({
    details: {},
    ...said(role, content, { minute: index }),
    id: index + 1,
  }));
}

function episode(messages: Message[], from = 0) {
  const exchanges = exchangesOf(messages);
  return episodeOf(SESSION, exchanges, { from, to: exchanges.length });
}

const contents = (messages: Message[], from = 0) =>
  episode(messages, from)?.turns.map(({ role, content }) => `${role}: ${content}`);

test("AUTO-4: a turn is a person's message with its reply, without tool output", () => {
  const messages = conversation(
    ["user", "Where is the config of the linter?"],
    ["assistant", "Let me look."],
    ["tool", ""],
    ["assistant", "It is in biome.json."],
    ["system", "A summary of it all."],
    ["user", "And who reads it in the build?"],
    ["assistant", "Biome does."],
  );
  expect(exchangesOf(messages).map(({ last }) => last)).toEqual([4, 7]);
  expect(contents(messages)).toEqual([
    "user: Where is the config of the linter?",
    "assistant: Let me look.\n\nIt is in biome.json.",
    "user: And who reads it in the build?",
    "assistant: Biome does.",
  ]);
});

test("AUTO-4: turns are numbered from the start of the conversation, and keep their numbers as it continues", () => {
  const messages = conversation(
    ["user", "We deploy on Fridays here."],
    ["assistant", "Noted, deployments are on Fridays."],
    ["user", "Thanks!"],
    ["assistant", "You're welcome!"],
    ["user", "The release is on 3 May."],
    ["assistant", "The third of May it is."],
  );
  expect(episode(messages, 2)).toMatchObject({ session: "s1", chat: "main", title: "Talk", from: 2 });
  expect(contents(messages, 2)?.[0]).toBe("user: The release is on 3 May.");
  const whole = contents(messages) ?? [];
  for (let to = 1; to <= messages.length; to++)
    expect(contents(messages.slice(0, to)) ?? []).toEqual(
      whole.slice(0, contents(messages.slice(0, to))?.length),
    );
  expect(episode(messages.slice(2, 4))).toBeNull();
});

test("AUTO-2: recalled text, private parts, marks and secrets are left out", () => {
  expect(retainable("a <memories>x</memories> b")).toBe("a b");
  expect(retainable("a <mental_models>x <memories>y</memories> z</mental_models> b")).toBe("a b");
  expect(retainable("a <memories>x <memories>y</memories> z</memories> b")).toBe("a b");
  expect(retainable("before <memories>never closed: I live in Rome.")).toBe("before");
  expect(retainable("a <recalled>x</recalled> b <retain-context>y</retain-context>")).toBe("a b");
  expect(retainable("a <MEMORIES kind='x'>y</memories> b")).toBe("a b");
  expect(retainable("a <system-reminder>y</system-reminder> b")).toBe("a b");
  expect(retainable("a <private>my diary</private> b")).toBe("a b");
  expect(retainable("Done.\n[MEMORY] Ada likes tea\n<memory>Tea: green</memory>")).toBe("Done.");
  expect(retainable("the key is sk-ant-api03-abcdefghijklmnopqrstuvwxyz0123456789")).not.toContain(
    "abcdefghij",
  );
  expect(retainable("red \u001b[31mtext\u0007")).toBe("red [31mtext");
});

test("AUTO-2: no recalled text leaks, however the tags are broken", () => {
  const piece = fc.constantFrom(
    "<memories>",
    "</memories>",
    "<mental_models>",
    "</mental_models>",
    "<private>",
    "</private>",
    "x ",
    "\n",
    "<",
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
      const text = `<memories>${pieces.filter((one) => one !== "</memories>").join("")}SECRETWORD`;
      expect(retainable(text)).not.toContain("SECRETWORD");
    }),
  );
});

test("AUTO-4: thanks, greetings and one-word replies are left out, in many languages", () => {
  const chitChat = [
    "ok",
    "OK!",
    "Thanks!",
    "thank you so much",
    "Hi there!",
    "great, thanks",
    "👍",
    "...",
    "lol",
    "Danke schön!",
    "Muchas gracias",
    "merci beaucoup",
    "Grazie mille",
    "obrigado",
    "спасибо",
    "谢谢",
    "ありがとうございます",
    "good morning",
    "yes",
    "no",
    "Ja",
    "Hmm",
    "cool cool",
    "sounds good",
    "got it",
    "you're welcome!",
    "Postgres",
  ];
  expect(chitChat.filter((text) => !isChitChat(text, false))).toEqual([]);
  const says = [
    "I live in Rome.",
    "Use tabs",
    "我喜欢喝茶",
    "src/app.ts",
    "v22",
    "ok, we use Postgres",
    "thanks, but the launch moved to May",
    "no tabs please, only spaces",
  ];
  expect(says.filter((text) => isChitChat(text, false))).toEqual([]);
});

test("AUTO-4: a short answer to a question stays if it says something", () => {
  const messages = conversation(
    ["user", "Set up the database for us."],
    ["assistant", "Sure. Which one do you want?"],
    ["user", "Postgres"],
    ["assistant", "And shall it be version 16?"],
    ["user", "Yes"],
    ["assistant", "Done. Anything else for today?"],
    ["user", "Thanks!"],
  );
  expect(contents(messages)).toContain("user: Postgres");
  expect(contents(messages)).toContain("user: Yes");
  expect(contents(messages)).not.toContain("user: Thanks!");
});

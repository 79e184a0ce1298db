/** Which words of a message a person asks to remember. */
import { expect, test } from "bun:test";
import { requestsIn } from "../../src/retention/requests.ts";

const ASKS: readonly (readonly [said: string, ...words: string[]])[] = [
  ["remember that my flight is at 9", "my flight is at 9"],
  ["Please remember: the door code changes on Mondays.", "the door code changes on Mondays."],
  ["Remember the cat is called Miso", "the cat is called Miso"],
  ["Hey Juno, please remember that we use pnpm.", "we use pnpm."],
  ["Juno, remember that we use pnpm", "we use pnpm"],
  ["I want you to remember that I am allergic to nuts.", "I am allergic to nuts."],
  ["Could you please remember that I prefer tabs?", "I prefer tabs"],
  ["Remember that my flight is at 9, ok?", "my flight is at 9"],
  ["Don't forget that my flight is at 9", "my flight is at 9"],
  ["Keep in mind that the office is closed in August.", "the office is closed in August."],
  ["remember to call Ana", "remember to call Ana"],
  ["Also, don’t forget to water the plants.", "don’t forget to water the plants."],
  ["Fix the tests. Remember that we deploy on Fridays. Then stop.", "we deploy on Fridays."],
  ["fix the tests\nremember that we deploy on Fridays\nthen stop", "we deploy on Fridays"],
  ['Remember that the wifi is called "Blue Heron. Guest"', 'the wifi is called "Blue Heron. Guest"'],
  ["Remember that `make all` builds it", "`make all` builds it"],
  ["Remember this: I live in Bergen.", "I live in Bergen."],
  ["Remember the following:\n\n- I live in Bergen.\n- My dog is Rex.", "I live in Bergen.", "My dog is Rex."],
  ["Please remember this:\nI live in Bergen.\nWhat is next?", "I live in Bergen."],
  ["```\nlet x = 1\n```\n\nRemember that x is the width.", "x is the width."],
  ["Merk dir, dass Ada Tee mag", "Ada Tee mag"],
  ["Bitte merke dir: Der Flug geht um 9 Uhr.", "Der Flug geht um 9 Uhr."],
  ["Merk dir bitte, dass wir freitags ausliefern.", "wir freitags ausliefern."],
  ["Vergiss nicht, dass mein Flug um 9 geht", "mein Flug um 9 geht"],
  ["Denk daran, Ana anzurufen", "Denk daran, Ana anzurufen"],
  ["Recuerda que mi vuelo sale a las 9", "mi vuelo sale a las 9"],
  ["Por favor, recuerda que vivo en Bergen.", "vivo en Bergen."],
  ["No olvides que soy alérgica a las nueces", "soy alérgica a las nueces"],
  ["Acuérdate de que mi perro se llama Rex", "mi perro se llama Rex"],
  ["Recuerda llamar a Ana", "Recuerda llamar a Ana"],
  ["请记住我住在卑尔根", "我住在卑尔根"],
  ["请记住：我的航班是九点。", "我的航班是九点。"],
  ["帮我记一下，我对坚果过敏", "我对坚果过敏"],
  ["别忘了我的航班是九点", "我的航班是九点"],
  ["记得打电话给安娜", "记得打电话给安娜"],
  ["請記住我喜歡喝綠茶", "我喜歡喝綠茶"],
];

const ASKS_NOTHING: readonly string[] = [
  "do you remember that I like tea?",
  "Do you remember that I like tea",
  "remember my cat?",
  "Remember that we agreed on Friday?",
  "Can you remember that evening in Lisbon?",
  "Remember when we went to Lisbon last year",
  "Remember how we fixed it the last time",
  "Remember that time in Lisbon when it rained",
  "Remember we talked about the budget",
  "I remember that she likes tea",
  "I'll remember that my flight is at 9",
  "She will remember that I like tea.",
  "I can't remember that she said so",
  "remember",
  "Remember that!",
  "remember this",
  "remember me",
  "Don't remember that I like tea",
  "Please don't remember that I like tea.",
  "forget that my flight is at 9",
  "No need to remember that I like tea",
  "Remember that I like tea. Never mind.",
  "Remember that I like tea. Actually, no, forget that.",
  '"Remember that I like tea"',
  'He wrote "Hello. Remember that I like tea. Bye."',
  "She said: remember that I like tea",
  "Bob: Hi there. Remember that I like tea.",
  "> Remember that I like tea",
  "```\nRemember that I like tea\n```",
  "    Remember that I like tea",
  "`remember that I like tea`",
  "Here is the mail:\n\nHello all. Remember that the office is closed.",
  "Here is the mail:\nRemember that the office is closed.",
  "# Guide\n\nRemember that the key must be set.",
  "Translate this into German. Remember that I like tea.",
  "Dear team,\n\nremember that the office is closed.",
  `${"A long text that somebody pasted. ".repeat(300)}Remember that I like tea.`,
  "A function like remember() keeps its value",
  "The remember that we wrote is slow",
  "note: nothing to see",
  "Erinnerst du dich, dass ich Tee mag?",
  "Ich merke mir, dass Ada Tee mag",
  "Merk dir das",
  "Merk dir das nicht",
  "¿Recuerdas que me gusta el té?",
  "Recuerdo que le gusta el té",
  "Recuerda cuando fuimos a Lisboa",
  "No recuerdes que me gusta el té",
  "我记得他喜欢喝绿茶",
  "你还记得我喜欢喝绿茶吗？",
  "记得我喜欢喝什么茶吗",
  "不要记住我喜欢喝绿茶",
];

test("REQUEST-1: the words after an explicit request are found verbatim, in English, German, Spanish and Chinese", () => {
  expect(ASKS.map(([said]) => [said, ...requestsIn(said)])).toEqual(ASKS.map((one) => [...one]));
});

test("REQUEST-2: questions, narration, negations, quotations, code and pasted text ask for nothing", () => {
  expect(ASKS_NOTHING.map((said) => [said, ...requestsIn(said)])).toEqual(ASKS_NOTHING.map((said) => [said]));
});

test("Finding requests takes linear time for any text", () => {
  for (const part of ["remember that ", "please ", "a, ", "“", '"', "记住", "\n- ", "'a "]) {
    const started = performance.now();
    requestsIn(part.repeat(7_900 / part.length));
    expect(performance.now() - started).toBeLessThan(1_000);
  }
});

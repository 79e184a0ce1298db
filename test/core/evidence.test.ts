/** Which messages ask for information, and which state something, in four languages. */
import { expect, test } from "bun:test";
import { evidenceIn, wantsAnswer } from "../../src/core/language/evidence.ts";

const REQUESTS = [
  "list everything about the rent",
  "show me my appointments",
  "Tell me what you know about Anna.",
  "please tell me about Anna",
  "tell me when the next appointment is",
  "give me a list of all doctors",
  "remind me what the door code is",
  "find all notes about Lisbon",
  "Zeig mir meine Termine",
  "Sag mir, wann der Termin ist",
  "Liste alle Notizen zur Miete auf",
  "Erzähl mir von Anna",
  "muéstrame mis citas",
  "lista todo sobre el alquiler",
  "Cuéntame lo que sabes de Ana",
  "告诉我关于房租的事情",
  "列出所有关于房租的事",
  "请告诉我我的医生是谁",
];

const INSTRUCTIONS = [
  "Remember that the rent is due on Friday",
  "Use tabs",
  "Call me Ana",
  "Show the logo on the left of every page",
  "Show all prices in euros",
  "Give me short answers",
  "Tell me when the build is done",
  "Show me the diff before you commit",
  "Give me the bad news first",
  "Tell my sister that I moved",
  "Remind me about the dentist on Friday",
  "List ingredients before steps",
  "Nenn mich Ana",
  "Sag mir Bescheid, wenn es fertig ist",
  "Zeige alle Preise in Euro",
  "Zeig mir die Änderungen, bevor du sie speicherst",
  "Llámame Ana",
  "Muestra todos los precios en euros",
  "Recuérdame que llame a Ana",
  "叫我小安",
  "显示所有价格为欧元",
  "提交之前给我看改动",
];

test("RECALL-4: requests for information are not evidence", () => {
  expect(REQUESTS.filter((said) => evidenceIn(said).stated !== "")).toEqual([]);
});

test("RECALL-4: instructions are evidence", () => {
  expect(INSTRUCTIONS.filter((said) => evidenceIn(said).stated !== said)).toEqual([]);
});

const STATEMENTS = [
  "The deploy is on Fridays now",
  "I brew kombucha on Sundays",
  "gf prefers light mode",
  "plan: move the queue to another server until March",
  "Tomas has left the billing team. His tasks are mine.",
  "If I ever win the lottery I'd buy a boat",
  "the bike repair shop in Porto",
  "Der Zahnarzt ist jetzt in der Gartenstraße",
  "und Frieda lernt jetzt Geige, freitags um drei",
  "La reunión es los martes ahora.",
  "Mi hermano se llama Iker",
  "会议改到星期三了",
  "他已经离开了那个团队",
];

const QUESTIONS = [
  "deploy day?",
  "is the deploy on friday",
  "how many rooms does the house have",
  "at which bank do I have an account",
  "what the deploy day is",
  "I forgot the wifi password. What is it?",
  "please list the people I have met",
  "summarise the billing decision.",
  "find the notes that are about Lisbon",
  "wann ist das Treffen",
  "Zeig mir, was über den Vertrag da ist",
  "cuándo es la reunión",
  "busca lo que hay sobre Iker",
  "会议是哪天",
  "我的猫叫什么",
  "房租涨了没有",
  "列出所有已经离开的人",
];

test("statements and topics want no answer", () => {
  expect(STATEMENTS.filter(wantsAnswer)).toEqual([]);
});

test("questions and requests want an answer", () => {
  expect([...QUESTIONS, ...REQUESTS].filter((said) => !wantsAnswer(said))).toEqual([]);
});

/** Which messages only tell something, in four languages. */
import { expect, test } from "bun:test";
import { isPlainStatement } from "../../src/core/text/plain-statement.ts";

const STATEMENTS = [
  "The deploy is on Fridays now",
  "We moved the standup to ten.",
  "My sister's flight was cancelled",
  "I don't eat mushrooms",
  "Tomas has left the billing team. His tasks are mine.",
  "It's going to be a long week",
  "The new printer doesn't work",
  "They want the report by Monday",
  "My sister lives in Porto.",
  "Der Zahnarzt ist jetzt in der Gartenstraße",
  "Wir haben den Vertrag gekündigt.",
  "Ich trinke keinen Kaffee mehr",
  "Meine Tochter heißt Lotte",
  "Das Treffen wurde auf Dienstag verschoben",
  "El servidor nuevo está en Bilbao",
  "Tengo dos gatos y un loro",
  "La reunión es los martes ahora.",
  "Mi hermano se llama Iker",
  "Ya no hay presupuesto para el viaje",
  "会议改到星期三了",
  "我的猫叫小白。",
  "我们的服务器现在在上海",
  "他已经离开了那个团队",
  "我不喜欢吃香菜",
];

const OTHERS = [
  "deploy day?",
  "deploy day",
  "my sister's flight",
  "is the deploy on friday",
  "when is the deploy",
  "what the deploy day is",
  "tell me about the deploy that was cancelled",
  "Show me the notes that are about Lisbon.",
  "everything we have on herons",
  "The deploy is on Fridays, right?",
  "I forgot the wifi password. What is it?",
  "I wonder where the keys are",
  "please list the people I have met",
  "summarise the billing decision.",
  "names of Tomas's children",
  "thanks!",
  "thank you very much!",
  "My sister lives where?",
  "the bike repair shop in Porto",
  "hello",
  "Zahnarzt Adresse",
  "wann ist das Treffen",
  "Ist der Vertrag gekündigt",
  "was weißt du über Lotte",
  "Zeig mir, was über den Vertrag da ist",
  "Erzähl mir alles über Lotte",
  "der neue Server in Bilbao",
  "dirección del dentista",
  "cuándo es la reunión",
  "¿El servidor está en Bilbao?",
  "Dime todo sobre el viaje",
  "busca lo que hay sobre Iker",
  "el viaje a Bilbao",
  "会议时间",
  "会议是哪天",
  "我的猫叫什么",
  "服务器在上海吗",
  "告诉我关于小白的事情",
  "我们在上海的服务器",
  "列出所有已经离开的人",
  "the notes that are about Lisbon",
  "Hunde, die krank waren",
  "las notas que hay sobre el alquiler",
  "奶奶多大了",
  "房租涨了没有",
  "我星期四有没有时间",
];

test("statements in English, German, Spanish and Chinese are recognised", () => {
  expect(STATEMENTS.filter((said) => !isPlainStatement(said))).toEqual([]);
});

test("questions, topics and requests are not statements", () => {
  expect(OTHERS.filter(isPlainStatement)).toEqual([]);
});

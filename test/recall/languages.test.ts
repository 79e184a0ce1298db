/** Facts and questions in languages other than English, through the library, on real files. */
import { expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openRetain } from "../../src/app.ts";
import { languageOf } from "../../src/core/language/stop-words.ts";
import { parseQuery } from "../../src/recall/query.ts";
import { MODEL_CACHE, Sandbox } from "../helpers/sandbox.ts";

function withFacts(facts: readonly string[], env: Record<string, string> = { RETAIN_EMBEDDING: "none" }) {
  const sandbox = new Sandbox();
  mkdirSync(join(sandbox.memory, "memories"), { recursive: true });
  const lines = facts.map((fact) => `- ${fact}\n`).join("");
  writeFileSync(join(sandbox.memory, "memories/MEMORY.md"), `# Memory\n\n${lines}`);
  return openRetain({ cwd: sandbox.work, env, homeDirectory: sandbox.home });
}

async function firstFor(retain: ReturnType<typeof withFacts>, question: string): Promise<string | undefined> {
  return (await retain.search(question)).hits[0]?.text.trim();
}

/** Each question shares one exact word with a wrong fact, and other forms of words with the right one, which ranks first. */
const CASES = {
  German: {
    facts: [
      "Das Boot lagert bei Hansen.",
      "Im Winter schlafen die Igel.",
      "Die Ziegelmauer ist zwei Meter hoch.",
      "Am Morgen singt der Hahn.",
    ],
    questions: ["Wo lagern die Boote im Winter?", "Bei wem lagerten am Morgen unsere Boote?"],
  },
  "a German compound": {
    facts: [
      "Der Bootsmotorschlüssel hängt in der Diele.",
      "Im Hafen hängt ein Seil.",
      "Das Seil vom Hafen ist neu.",
      "Der Hahn singt am Morgen.",
    ],
    questions: ["Wo hängt der Schlüssel für den Motor vom Boot?", "Welchen Schlüssel haben Bootsmotoren?"],
  },
  Spanish: {
    facts: [
      "La cabra duerme en el granero.",
      "En invierno nieva mucho.",
      "El cabezal de la cama mide dos metros.",
      "Cada noche canta el gallo.",
    ],
    questions: ["¿Dónde duermen las cabras en invierno?", "¿Dónde dormían y duermen de noche las cabras?"],
  },
  French: {
    facts: [
      "La chèvre mange dans la grange.",
      "En hiver il neige beaucoup.",
      "Le chevet du lit est en bois.",
      "Le matin, le coq chante.",
    ],
    questions: ["Où mangent les chèvres en hiver ?", "Où est-ce que le matin ont mangé les chèvres ?"],
  },
} as const;

for (const [language, { facts, questions }] of Object.entries(CASES))
  test(`SEARCH-5: ${language}: a question finds a fact with other forms of its words`, async () => {
    using retain = withFacts(facts);
    for (const question of questions)
      expect([question, await firstFor(retain, question)]).toEqual([question, facts[0]]);
  });

test("SEARCH-5: function words are ignored in a question of their own language, and count as words in English", () => {
  const words = (query: string) => parseQuery(query, new Date(0), []).words;
  expect(words("Wer hat die Ziege mit dem Hut?")).toEqual(["ziege", "hut"]);
  expect(words("¿Quién tiene la llave del granero?")).toEqual(["llave", "granero"]);
  expect(words("Pour qui est la clé de la grange ?")).toEqual(["clé", "grange"]);
  expect(words("did the goat die in the war")).toEqual(["goat", "die", "war"]);
  expect(words("whose hat is this")).toEqual(["hat"]);
});

test("SEARCH-5: a question is English unless its words show otherwise", () => {
  const language = (query: string) => parseQuery(query, new Date(0), []).language;
  for (const query of [
    "When did Werner von Amsel visit La Palma?",
    "will man go to war",
    "die cast mold",
    "the hat of der Alte",
    "goat barn",
    "",
  ])
    expect([query, language(query)]).toEqual([query, null]);
  expect(language("wann streichen wir die bank")).toBe("german");
  expect(language("¿Han pintado el banco?")).toBe("spanish");
  expect(languageOf(["où", "est", "la", "clé"])).toBe("french");
});

test("SEARCH-5: an English question strips only English endings", async () => {
  using retain = withFacts([
    "The manager paints the barn.",
    "The manger holds hay.",
    "Mango trees need sun.",
  ]);
  const { hits } = await retain.search("what does the manager paint");
  expect(hits.map(({ text }) => text.trim())).toEqual(["The manager paints the barn."]);
});

test("SEARCH-5: a Chinese question finds the fact that shares its characters, whatever the embedding model says", async () => {
  const facts = [
    "鸡舍每周二打扫，羊圈两周打扫一次。",
    "合唱团星期三在旧教堂排练。",
    "药店星期天下午关门。",
    "咖啡机坏了，星期一来修。",
    "姐姐夏天搬到海边去了。",
    "财务由白女士一月起负责。",
    "出差申请现在要交给秘书。",
    "表哥八月去那个城市出差。",
    "牙医预约在三月十四号上午。",
    "诊所搬到了邮局后面。",
    "我去看奶奶的时候带蛋糕。",
    "学校几点上课要问老师。",
  ];
  using retain = withFacts(facts, { RETAIN_CACHE: MODEL_CACHE });
  expect(await firstFor(retain, "鸡舍是星期几")).toBe(facts[0] as string);
  expect(await firstFor(retain, "姐姐搬去哪里了？")).toBe(facts[4] as string);
});

test("RECALL-4: a question in another language finds nothing if only MiniLM, which reads English, calls a memory similar", async () => {
  const herons = Array.from({ length: 20 }, (_, day) => `Heron number ${day} was seen at pond ${day}.`);
  const german = ["Das Boot lagert bei Hansen.", "Die Katze frisst nur Lachs.", "Der Hahn singt am Morgen."];
  using retain = withFacts([...herons, ...german], { RETAIN_CACHE: MODEL_CACHE });
  await retain.index.embed();
  for (const question of ["Wann beginnt das Konzert im Dom?", "¿Dónde están mis gafas de sol?"])
    expect([question, (await retain.search(question)).hits]).toEqual([question, []]);
  expect(await firstFor(retain, "Was fressen unsere Katzen?")).toBe("Die Katze frisst nur Lachs.");
  const byMeaning = await retain.search("Wann beginnt das Konzert im Dom?", { mode: "semantic" });
  expect(byMeaning.hits).not.toEqual([]);
});

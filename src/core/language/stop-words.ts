/**
 * Words without content for a search. Without a language, `isStopWord` works for any text: all English ones, including question
 * words; German, French and Spanish ones only if they mean nothing in English ("die", "hat", "mit" and "son" do).
 */

import { wordSet } from "../../util/word-lists.ts";

const ENGLISH = `
  a an the this that these those there here
  i me my mine myself you your yours yourself yourselves he him his himself she her hers herself it its itself
  we us our ours ourselves they them their theirs themselves one ones someone something anyone anything
  who whom whose what which when where why how whatever whichever whoever
  am is are was were be been being do does did doing done have has had having
  can could will would shall should might must ought
  and or but nor not no if then else than as so because while though although whether
  of at by for with about against between into through during before after since until till above below to from in out
  on off over under up down again further once upon within without toward towards per via
  all any both each few many more most much some such other another only own same too very just also ever yet still
  many long often please tell let lets
  dont doesnt didnt isnt arent wasnt werent cant couldnt wont wouldnt shouldnt hasnt havent hadnt
  im ive youre youve theyre theyve weve thats whats whos wheres hows theres
`;

const GERMAN = `
  der das dem ein eine einen einem einer eines und oder aber nicht ich du wir ihr sie mich mir dich uns euch
  ist sind wurde wurden wird werden haben habe hatte hatten sein
  auf für von zu zum zur bei nach aus über wann wer wie wo warum welche welcher welches welchen wem wen wieso
`;

const FRENCH = `
  le les une du et où qui que quoi quand quel quelle quels quelles pourquoi combien
  je tu il elle nous vous ils elles dans avec sur sous pas sont ont été était cette ces leur leurs
`;

const SPANISH = `
  el los las una unas unos qué que quién quien quiénes cuándo cuando dónde donde cómo cuál cuáles cuánto
  cuántos para por está están fue fueron ese esa esos esas ella ellos nosotros
`;

const STOP_WORDS = wordSet(ENGLISH, GERMAN, FRENCH, SPANISH);
const ENGLISH_WORDS = wordSet(ENGLISH);

/** All function words of the other recognised languages: in a German question, "die" and "hat" have no content. */
const LANGUAGES = {
  german: wordSet(
    GERMAN,
    `die den des dass daß was wohin woher womit wofür wessen weshalb welchem woran worauf wovon wozu
     mein meine meinen meinem meiner meines dein deine deinen deinem deiner unser unsere unseren unserem unserer unseres
     euer eure ihre ihren ihrem ihrer seine seinen seinem seiner ihm ihn ihnen er es man sich
     kein keine keinen keinem keiner bin bist seid war waren warst gewesen worden hat hast habt hätte hätten
     kann kannst können könnte konnte muss musst müssen müsste musste soll sollen sollte darf dürfen mag möchte will wollen
     wird würde würden ja nein doch noch nur schon auch sehr so wenn weil als ob denn dann da dort hier
     mit ohne in im an am um bis seit vor unter neben zwischen gegen durch beim vom ins ans fürs
     dieser diese dieses diesen diesem jeder jede jedes jeden jenem alle alles viel viele vielen wieviel etwas nichts
     mal gibt es wohl eigentlich gerade immer`,
  ),
  french: wordSet(
    FRENCH,
    `la l un de des d au aux à a ai as avons avez est es suis sommes êtes c ce cet se s sa ses mon ma mes ton ta tes son
     notre nos votre vos me m te t lui y en ne n ni ou mais donc car si par pour sans chez entre vers depuis pendant avant
     après comment lequel laquelle lesquels quelqu on eux moi toi soi rien tout tous toute toutes très plus moins aussi
     déjà encore toujours jamais être avoir avait avaient sera serait fait faut peut peuvent doit doivent`,
  ),
  spanish: wordSet(
    SPANISH,
    `la lo un de del al a en y o u e ni con sin sobre entre hasta desde hacia según durante tras
     adónde quiénes cuánta cuántas cuanto cuanta cuantos cuantas cuales cual como
     yo tú él me te se le les nos os mi mis tu tus su sus nuestro nuestra nuestros nuestras vuestro vuestra mío mía
     es son era eran ser soy eres somos sido siendo estoy estamos estaba estaban estar he has ha hemos han había habían hay haber
     tengo tiene tienen tenemos tener puede pueden puedo poder debe deben hace hacen hacer
     no sí si pero más menos muy ya también tampoco solo sólo cada este esta esto estos estas aquel aquella aquello ello ellas
     porque pues aunque mientras todo toda todos todas algo nada alguien nadie algún alguna otro otra otros otras`,
  ),
} as const;

export type Language = keyof typeof LANGUAGES;

/** Function words of other languages that are also English words or names, so they don't show that a text isn't English. */
const ENGLISH_TOO = wordSet(
  `die hat war man fast bald mag mal gut den des dem der bin er es da so in an am um was will also all als mit dir
   ins ans vom la le les un une du de del al a as on son me te se ta ton sa si par pour car tout tous est y o e
   u no he has ha mi tu ya os era sin solo comment plus ser lo`,
);

/** null for English, or if the language is unclear. */
export function languageOf(words: readonly string[]): Language | null {
  const count = (own: ReadonlySet<string>) => words.filter((word) => own.has(word)).length;
  let [most, language]: [number, Language | null] = [count(ENGLISH_WORDS), null];
  for (const name of Object.keys(LANGUAGES) as Language[]) {
    const own = LANGUAGES[name];
    const isSure = words.some((word) => own.has(word) && !ENGLISH_TOO.has(word) && !ENGLISH_WORDS.has(word));
    if (isSure && count(own) > most) [most, language] = [count(own), name];
  }
  return language;
}

/** The part before the apostrophe in contracted function words: "don't", "she'll", "what's". */
const CONTRACTED: ReadonlySet<string> = new Set(
  `don doesn didn isn aren wasn weren can couldn won wouldn shouldn hasn haven hadn mustn needn ain shan let
   i you he she it we they that this there here who what where when why how`.split(/\s+/),
);

/** The part after the apostrophe. */
const ENDINGS: ReadonlySet<string> = new Set(["s", "t", "d", "m", "ll", "re", "ve"]);

/** Whether it is one in any of the languages, also if it means something in English. */
export function isStopWordSomewhere(word: string): boolean {
  return (
    STOP_WORDS.has(word) || Object.values(LANGUAGES).some((words: ReadonlySet<string>) => words.has(word))
  );
}

/** For a lower-case word without apostrophe, in this language or any. */
export function isStopWord(word: string, language: Language | null = null): boolean {
  return STOP_WORDS.has(word) || (language !== null && LANGUAGES[language].has(word));
}

/**
 * The content parts of a lower-case word with apostrophes: none of "don't", "john" of "john's", "brien" of "o'brien", "école" of
 * "l'école".
 */
export function contractionParts(parts: readonly string[]): string[] {
  const last = parts.at(-1) ?? "";
  const isEnding = parts.length > 1 && ENDINGS.has(last);
  const stems = isEnding ? parts.slice(0, -1) : parts;
  if (isEnding && stems.length === 1 && CONTRACTED.has(stems[0] ?? "")) return [];
  const telling = stems.filter((part) => Array.from(part).length > 1);
  return telling.length > 0 ? telling : stems.slice(0, 1);
}

/**
 * Words that say nothing about what is sought. English in full, question words included; German, French and Spanish only
 * where the word means nothing in English ("die", "hat", "mit", "dir", "del", "pour", "son", "la" are not here), since one list serves
 * queries of any language.
 */

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

const STOP_WORDS: ReadonlySet<string> = new Set(
  [ENGLISH, GERMAN, FRENCH, SPANISH].flatMap((words) => words.trim().split(/\s+/)),
);

/** What stands before the apostrophe where the whole is a function word: "don't", "she'll", "what's". */
const CONTRACTED: ReadonlySet<string> = new Set(
  `don doesn didn isn aren wasn weren can couldn won wouldn shouldn hasn haven hadn mustn needn ain shan let
   i you he she it we they that this there here who what where when why how`.split(/\s+/),
);

/** What stands after it. */
const ENDINGS: ReadonlySet<string> = new Set(["s", "t", "d", "m", "ll", "re", "ve"]);

/** For a lower-case word without apostrophe. */
export function isStopWord(word: string): boolean {
  return STOP_WORDS.has(word);
}

/**
 * The parts of a lower-case word with apostrophes that say something: none of "don't", "john" of "john's", "brien" of
 * "o'brien", "école" of "l'école".
 */
export function contractionParts(parts: readonly string[]): string[] {
  const last = parts.at(-1) ?? "";
  const isEnding = parts.length > 1 && ENDINGS.has(last);
  const stems = isEnding ? parts.slice(0, -1) : parts;
  if (isEnding && stems.length === 1 && CONTRACTED.has(stems[0] ?? "")) return [];
  const telling = stems.filter((part) => Array.from(part).length > 1);
  return telling.length > 0 ? telling : stems.slice(0, 1);
}

/** Function words of the languages that Retain reads, by what they do in a sentence. */
import { wordSet } from "../../util/word-lists.ts";

export const ARTICLES = wordSet(
  "a an the der die das dem den ein eine einen einem einer el la los las un una le les du des",
);

/** The person who speaks, as the subject of a sentence. */
export const SELF = wordSet("i we ich wir yo nosotros je nous");

/** "User" is how models name the person. */
export const SUBJECTS = wordSet(
  "user you he she they it du er sie es ella ellos il elle",
  [...SELF].join(" "),
);

export const PREPOSITIONS = wordSet(
  `in at on by for from of to with until auf bei für mit von zu bis im am zum zur en de al por para con hasta à au dans chez pour
   avec 在 于 於 到`,
);

/** Recognises chit-chat: thanks, greetings, "ok", in many languages. */
import { isStopWord } from "./stop-words.ts";

const FILLERS: ReadonlySet<string> = new Set(
  `thanks thank thx ty tysm thankyou cheers you so very much a lot again too many all ok okay k kk okey great cool nice perfect
   awesome excellent amazing wonderful good fine alright right well wow oh ah aha hm hmm mm mhm lol haha hahaha hehe hi hello hey hiya
   howdy there bye goodbye cya later see soon morning evening night afternoon day have please pls sorry welcome np problem worries no
   got it gotcha i understand understood noted makes sense sounds that that's thats works worked done go ahead on continue proceed next next
   really indeed exactly correct true interesting appreciated appreciate your help love this is youre you're cool
   danke bitte super gut prima toll genau schön vielen dank sehr guten tag abend hallo moin servus tschüss tschüs ciao klar stimmt
   passt alles läuft weiter verstanden notiert
   gracias muchas hola vale adiós adios buenos buenas días dias tardes noches bueno claro perfecto genial de nada listo entendido anotado
   merci beaucoup bonjour bonsoir salut d'accord daccord parfait bien très tres super au revoir voilà compris noté
   grazie mille prego buongiorno buonasera va bene perfetto ottimo certo
   obrigado obrigada olá ola oi tudo bem tchau beleza valeu
   dank je bedankt hoi dag goed prima dzięki dziękuję cześć dobrze tack hej bra takk hei kiitos moi teşekkürler teşekkür ederim
   merhaba tamam спасибо привет хорошо ок пока понятно здравствуйте 谢谢 多谢 你好 好的 好 嗯 再见 ありがとう ありがとうございます こんにちは
   了解 うん 감사합니다 고마워요 고마워 안녕하세요 धन्यवाद नमस्ते شكرا مرحبا תודה`.split(/\s+/),
);

/** Words that mean something after a question. */
const ANSWERS: ReadonlySet<string> = new Set(
  `yes yep yup yeah y no nope nah n sure definitely absolutely never always maybe ja nein jein sí si oui non sì não sim nee tak nie
   evet hayır да нет 是 不 不是 はい いいえ 네 아니요 हाँ नहीं نعم לא כן`.split(/\s+/),
);

/** Words of not knowing: "I am not sure", "keine Ahnung", "no lo sé". */
const KNOWING: ReadonlySet<string> = new Set(
  "sure certain know idea clue leider weiß weiss ahnung keine lo sé seguro segura ne sais 不知道 不清楚 不确定 わかりません 分かりません".split(
    " ",
  ),
);

const WORD = /[\p{L}\p{M}\p{N}]+(?:['’][\p{L}]+)*/gu;
const MOST_WORDS = 8;
/** A path, address or number: one word with content. */
const TELLING = /[\p{L}\p{N}][/\\@_:.#-][\p{L}\p{N}]|\d/u;
/** Scripts without spaces between words. */
const UNSPACED = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]/u;

/** `asked`: the previous reply ended with a question, so a single word may be an answer. */
export function isChitChat(text: string, asked: boolean): boolean {
  const words = text.toLowerCase().match(WORD) ?? [];
  if (words.length === 0) return true;
  if (words.length > MOST_WORDS) return false;
  const says = words.filter((word) => !FILLERS.has(word.replaceAll("’", "'")));
  if (says.length === 0) return true;
  if (says.every((word) => ANSWERS.has(word))) return !asked;
  return words.length === 1 && !asked && !TELLING.test(text) && !UNSPACED.test(text);
}

/** Whether a sentence has no content: chit-chat, or not knowing. `asked`: it may answer a question, as a lone "Yes." does. */
export function saysNothing(sentence: string, asked = true): boolean {
  const words = sentence.toLowerCase().replace(/['’]/g, "").match(WORD) ?? [];
  const answers = (word: string) => ANSWERS.has(word);
  if (asked && words.length === 1 && words.every(answers)) return false;
  return words.every(
    (word) => FILLERS.has(word) || KNOWING.has(word) || isStopWord(word) || (!asked && answers(word)),
  );
}

/** Whether a reply ends with a question. */
export function asks(reply: string): boolean {
  return /[?？؟][\s"'”’)*_]*$/.test(reply.slice(-40));
}

/**
 * A thousand texts of many kinds, the same on every machine: prose, notes, code, addresses, other scripts, signs and
 * broken input. Written for Retain; the reference's vectors for them lie in reference-vectors.bin.
 */

const SUBJECTS =
  "my sister|the nightly backup|our landlord|a new colleague|the old printer|the training run|Marta from billing|the second server|the neighbour's dog|that recipe|the quarterly report|the violin teacher|everybody in the team|the museum guide|a customer in Lisbon|the parser".split(
    "|",
  );
const VERBS =
  "forgot|repaired|moved to|never liked|asked about|paid for|broke|measured|postponed|praised|lost|wrote down|compared|is afraid of|still prefers|cancelled".split(
    "|",
  );
const OBJECTS =
  "the blue bicycle|a flight to Oslo|two hundred euros|the GPU memory limit|an appointment with the dentist|the database migration|oat milk|a garden full of tomatoes|the deadline in March|her grandmother's letters|the retry loop|a quiet room|the chess tournament|the insurance number|a loaf of rye bread|the kitchen window".split(
    "|",
  );
const ENDINGS =
  "last Tuesday|because of the rain|without telling anyone|in 2019|for the third time|before breakfast|at 14:30|despite the cost|as agreed|and regretted it|on the way home|after the meeting".split(
    "|",
  );
const OTHER_SCRIPTS = [
  "我昨天在北京买了一本关于机器学习的书。",
  "明日の会議は午後三時からです。コーヒーを忘れないでください！",
  "서울에서 부산까지 기차로 얼마나 걸리나요?",
  "Вчера мы обсуждали новый договор с поставщиком.",
  "Ο Σωκράτης ήταν ο δάσκαλος του Πλάτωνος.",
  "أحب القهوة بدون سكر في الصباح",
  "הפגישה נדחתה ליום ראשון",
  "मुझे हिंदी में लिखना पसंद है",
  "Đường phố Hà Nội rất đông người vào buổi tối",
  "Ça coûte 12,50 € à l'hôtel près de la forêt; où est le garçon naïf?",
  "Grüße aus Köln: die Straße ist gesperrt, übermorgen öffnet sie wieder",
  "İstanbul'da ılık bir kış günü geçirdik",
  "El niño comió piñas y jalapeños en Málaga",
  "พรุ่งนี้ฉันจะไปตลาด",
];
const CODE = [
  "const total = items.reduce((sum, item) => sum + item.price * item.count, 0);",
  "def fib(n):\n    return n if n < 2 else fib(n - 1) + fib(n - 2)",
  "SELECT name, count(*) FROM orders WHERE paid_at IS NULL GROUP BY name ORDER BY 2 DESC;",
  'fn main() -> Result<(), Box<dyn Error>> { println!("{:?}", std::env::args()); Ok(()) }',
  "git rebase -i HEAD~3 && git push --force-with-lease origin feature/x_1",
  "TypeError: Cannot read properties of undefined (reading 'length') at parse (/srv/app/src/parse.ts:41:17)",
  '{"id": 17, "tags": ["a", "b"], "nested": {"ok": true, "ratio": 0.125}}',
  "for (int i = 0; i < n; ++i) { a[i] ^= b[i] << 3; }  // mix",
];
const ADDRESSES = [
  "https://example.com/docs/v2/search?q=long+term&page=3#results",
  "write to anna.schmidt+memo@mail.example.org",
  "/home/u/.config/tool/settings.toml",
  "192.168.0.17:8080 answered with 503",
  "C:\\Users\\Public\\notes.txt",
  "ssh -p 2222 deploy@10.0.0.5 'systemctl restart web'",
];
const SIGNS = [
  "🙂 great, see you 🏖️ tomorrow!",
  "👩‍👩‍👧‍👦 family of four 🇳🇴",
  "x² + y² ≤ r², ∑ 1/n → ∞",
  "— “quoted” … and ‘nested’ —",
  "[CLS] is not a word [MASK] here",
  "tab\tand\nline\r\nbreaks   and\u00a0hard spaces",
  "zero\u200bwidth, a\ufeffbom, bell\u0007 and nul\u0000 inside",
  "lone \ud83d surrogate",
  "e\u0301 decomposed and é composed",
  "supercalifragilisticexpialidocious antidisestablishmentarianism",
  "a".repeat(120),
  "",
  "   ",
  "ok",
  "7",
];

/** A small deterministic generator of numbers in [0, 1). */
function numbersFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

export function sampleTexts(): string[] {
  const next = numbersFrom(20);
  const below = (limit: number) => Math.floor(next() * limit);
  const pick = (list: readonly string[]) => list[below(list.length)] ?? "";
  const sentence = () => `${pick(SUBJECTS)} ${pick(VERBS)} ${pick(OBJECTS)} ${pick(ENDINGS)}`;
  const kinds: (() => string)[] = [
    () => `${sentence()}.`,
    () => `Did ${sentence()}?`,
    () => `${pick(SUBJECTS)}: ${below(9000)} (${pick(ENDINGS)}), see ${pick(ADDRESSES)}`,
    () => `## ${pick(OBJECTS)}\n\n- ${sentence()}\n- **${pick(VERBS)}** ${pick(OBJECTS)}`,
    () => `${pick(CODE)} // ${pick(ENDINGS)}`,
    () => `${pick(OTHER_SCRIPTS)} ${pick(OBJECTS)} ${below(100)}`,
    () => `${pick(SIGNS)} ${pick(SUBJECTS)} ${pick(ENDINGS)}`,
    () => Array.from({ length: 2 + below(3) }, sentence).join(". "),
    () => Array.from({ length: 1 + below(4) }, () => pick(OBJECTS)).join(" "),
  ];
  const fixed = [...OTHER_SCRIPTS, ...CODE, ...ADDRESSES, ...SIGNS];
  const long = Array.from({ length: 12 }, (_, index) =>
    Array.from({ length: 10 + index * 3 }, sentence).join(". "),
  );
  const generated = Array.from({ length: 1000 - fixed.length - long.length }, (_, index) =>
    kinds[index % kinds.length]?.(),
  );
  return [...fixed, ...long, ...generated.map((text) => text ?? "")];
}

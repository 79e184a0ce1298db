/**
 * The words by which facts are compared. Lists, not a grammar: what is not in them is compared letter by letter, and where
 * that does not decide, both facts stay.
 */

function words(list: string): ReadonlySet<string> {
  return new Set(list.trim().split(/\s+/));
}

/** Say nothing about what a fact states. */
export const EMPTY_WORDS = words(`
  a an the is are am be been being also really very quite currently now presently still actually definitely
  that which already
`);

/** Between subject and verb, or before both. */
export const ADVERBS = words(`
  now currently presently still also recently really usually generally actually definitely already permanently officially
  typically normally mostly often always sometimes
`);
/** Of these, the ones that change what is said. */
export const FREQUENCIES = words(
  "usually generally typically normally mostly often always sometimes rarely seldom hardly",
);

export const USER_WORDS = words("user i");

export const AUXILIARIES = words("do does did don doesn didn");
export const NEGATORS = words(`
  not no never none nobody nothing neither nor cannot without nicht kein keine keinen nie pas jamais nunca ningún não non
`);
/** With a negation they are what is denied; alone they say it may be so. */
export const MODALS = words("can could will would shall should might may must");

/** One word for verbs that say the same of a person. A "-" in front: it denies that. */
const SAME_VERBS: readonly (readonly [string, string])[] = [
  ["like", "like love enjoy adore"],
  ["-like", "dislike hate detest loathe"],
  ["use", "use utilize utilise"],
  ["live", "live reside"],
  ["own", "own"],
];

/** Verbs of which a subject can have many objects: another object is another fact. */
const MANY = `
  like love enjoy adore dislike hate detest loathe use utilize utilise speak know own have visit play prefer want need read watch
  eat drink study learn travel cook collect follow support build write attend meet avoid practise practice listen love
  work run keep make maintain manage teach take track train buy sell wear volunteer hike swim paint draw sing dance
`;
/** And those found only in the patterns of single values. */
const OTHERS =
  "live reside weigh report measure sit stand plan hope wish intend think believe feel seem deploy mean call go come";

/** "study" has "studies", "use" has "using"; past forms are another tense and stay as they are. */
function formsOf(verb: string): string[] {
  const third = /[^aeiou]y$/.test(verb)
    ? `${verb.slice(0, -1)}ies`
    : /(?:s|sh|ch|x|o)$/.test(verb)
      ? `${verb}es`
      : verb === "have"
        ? "has"
        : `${verb}s`;
  const stem = /[^e]e$/.test(verb) ? verb.slice(0, -1) : verb;
  const doubled = DOUBLED.has(verb) ? `${verb}${verb.at(-1)}ing` : `${stem}ing`;
  return [verb, third, doubled];
}
const DOUBLED = words("run sit swim plan get");

/** Every form of the verbs known here, with its base form. */
export const VERB_FORMS: ReadonlyMap<string, string> = new Map(
  [...words(MANY), ...words(OTHERS)].flatMap((verb) => formsOf(verb).map((form) => [form, verb] as const)),
);
/** Verbs in the past tense, by which a subject is told from what is said of it. */
export const PAST_VERBS: ReadonlySet<string> = words(`
  moved relocated switched migrated changed upgraded transitioned converted turned visited graduated bought sold started stopped
  quit joined left finished completed decided learned lived worked used went met got had made wrote built said told asked
  attended enjoyed liked loved hated played studied born became gave took found won lost
`);
export const MANY_VERBS: ReadonlySet<string> = words(MANY);
export const VERB_CLASSES: ReadonlyMap<string, string> = new Map(
  SAME_VERBS.flatMap(([name, verbs]) => [...words(verbs)].map((verb) => [verb, name] as const)),
);

export const MONTHS = words(
  "january february march april may june july august september october november december",
);

/** Spellings and plain synonyms of other words. */
export const SAME_WORDS: ReadonlyMap<string, string> = new Map(
  [
    ["favorite", "favourite favourites favorites"],
    ["color", "colour"],
    ["gray", "grey"],
    ["program", "programme"],
    ["behavior", "behaviour"],
    ["license", "licence"],
    ["center", "centre"],
    ["answer", "response reply responses replies answers"],
    ["concise", "brief short"],
    ["javascript", "js"],
    ["typescript", "ts"],
    ["postgres", "postgresql"],
    ...[...MONTHS].map((month) => [month, month.slice(0, 3)]).filter(([month]) => month !== "may"),
  ].flatMap(([word = "", others = ""]) => [...words(others)].map((other) => [other, word] as const)),
);

/** A detail begins here; what stood before it is complete without it. */
export const DETAIL_STARTS = words(`
  as at in on near by from with for to since until till because via through about around after before during while where who
  named called using including such and or but plus when if unless except only every each per daily weekly so then both
  within between against over under next especially mainly twice once
`);
/** A detail that narrows down what stood before it: without it, more is claimed. */
export const NARROWING = words(
  "only except unless if when but without until till not never sometimes rarely",
);

/** A value that holds for a time, a place or a purpose begins with one of these and one of the words below. */
export const SCOPE_STARTS = words(
  "during when while if for on in at except only unless sometimes mostly usually",
);
export const ALWAYS_SCOPE = words("during when while if for per except only unless sometimes mostly usually");
const PARTS_OF_THE_DAY =
  "morning mornings afternoon afternoons evening evenings night nights weekend weekends weekday weekdays";
const DAYS = `monday tuesday wednesday thursday friday saturday sunday mondays tuesdays wednesdays thursdays fridays saturdays
  sundays`;
const SEASONS = "spring summer autumn fall winter";
export const TIME_WORDS = words(
  `${PARTS_OF_THE_DAY} ${DAYS} ${SEASONS} ${[...MONTHS].join(" ")} today tomorrow yesterday tonight daily weekly monthly yearly
   last next previous`,
);
export const SCOPE_WORDS = words(
  `${PARTS_OF_THE_DAY} ${DAYS} ${SEASONS} ${[...MONTHS].join(" ")} home work school office laptop phone desktop mobile
   production prod staging development dev test ci private personal business draft final stable beta`,
);
/** Somebody's home can be told as a country or as a place in it: one does not replace the other. */
export const COUNTRIES = words(`
  germany france spain italy portugal austria switzerland belgium netherlands luxembourg denmark sweden norway finland iceland
  ireland england scotland wales uk britain poland czechia hungary romania bulgaria greece turkey ukraine russia usa us america
  canada mexico brazil argentina chile colombia peru uruguay ecuador bolivia cuba china japan korea taiwan india pakistan
  bangladesh nepal vietnam thailand malaysia indonesia philippines australia egypt morocco tunisia nigeria kenya ghana ethiopia
  israel lebanon jordan iran iraq europe asia africa california texas florida bavaria catalonia
`);
/** What one moves to without moving house. */
export const NO_PLACES = words(`
  linux windows macos mac ubuntu debian arch fedora zed vim neovim emacs postgres mysql sqlite redis slack discord teams notion
  obsidian rust go python java kotlin swift ruby react vue svelte angular next bun deno node docker kubernetes podman terraform
  aws gcp azure github gitlab git vercel netlify cloudflare hetzner heroku zsh fish bash jira linear asana trello figma claude
  gemini product sales marketing engineering support design legal finance operations management part full remote plan
`);
/** In front of a value that is no place to live or work at. */
export const NO_NAMES = words(`
  a an the my our your his her their this that some any no fear peace poverty hiding denial harmony luxury exile comfort shame
  pain full least most night home times once
`);

/** In front of a noun: there is one. */
export const ONE_OF_A_KIND = words("favorite preferred default main primary current native official legal");

/** A person or thing has one at a time. The last word of an attribute decides. */
export const SINGLE_NOUNS = words(`
  timezone name surname nickname age birthday birthplace email phone address location residence city hometown country
  nationality citizenship employer company job role title position occupation profession salary manager boss supervisor department
  wife husband spouse partner fiance fiancee girlfriend boyfriend mother father mom dad height weight size gender pronouns
  username handle login editor ide browser shell terminal os laptop computer keyboard branch port host hostname url domain
  region database runtime version deadline date time budget price cost license locale currency theme font color status mode
  tier provider registry indentation diet religion school university major limit timeout threshold quota interval frequency
  schedule owner lead model engine password passphrase homepage website ip subnet bedtime doctor dentist landlord capacity
  rate level stage milestone sprint cadence visa zip postcode
`);
/** Of these there are many, whatever the number of the word. */
export const MANY_NOUNS = words(`
  like dislike skill hobby interest allergy language friend sibling brother sister child kid son daughter pet dog cat book movie
  film song game tool tech technology contact colleague coworker client customer server meeting appointment trip feature
  medication condition certification achievement subscription account dependency library instrument sport food drink cousin
  member teammate uncle aunt plant device stack podcast show intolerance fear dream want need topic endpoint service package
  plugin extension command alias shortcut
`);
/** End in "s" and are one thing all the same. */
export const SINGULAR_S = words(
  "address status class boss business os dns timezone pronouns canvas basis analysis bus gps",
);

/** Their value is a word that describes: "Theme is dark". */
export const DESCRIBED_BY = words(
  "color theme mode status diet size level gender religion nationality priority",
);

/** What "is" says of a thing without being its value: "The deploy branch is protected". */
export const DESCRIPTIONS = words(`
  good bad fast slow big small large new old great fine ready done broken down up open closed public private free busy
  available online offline stable unstable green red dirty clean empty full hard easy important safe unsafe wrong right
  correct flaky dead alive live sick healthy happy sad tired late early long short high low hot cold cheap expensive nice
  stale obsolete deprecated missing gone here there back away out in on off at behind for from by with about near under over
  a an the not still too very so really quite only always never more less one some part like as to
`);

/** How much, how certain, when and where: with another of these a sentence says something else. */
export const WEIGHTY = words(`
  all some most every each any only few many several both half always never often sometimes rarely usually was were being used
  had if unless except instead than can could will would shall should might may must behind front back inside outside into onto
  off out up down top bottom left right above below under over before after until between against without toward towards away
`);
export const PREPOSITIONS = words(
  "in on at to from with about by for of as near through across around along against under over between",
);

/** Opposites: the same words with one of these in the other's place say something else. */
const OPPOSITES = `
  before/after with/without to/from over/under light/dark start/stop on/off up/down in/out left/right morning/evening
  morning/night day/night more/less always/never first/last early/late buy/sell open/close opened/closed enable/disable
  enabled/disabled allow/deny allowed/forbidden import/export push/pull add/remove increase/decrease high/low hot/cold
  big/small large/small fast/slow public/private internal/external inside/outside indoors/outdoors man/woman boy/girl men/women
  boys/girls male/female he/she his/her him/her mother/father son/daughter brother/sister wife/husband black/white old/young
  old/new full/empty long/short tall/short above/below north/south east/west win/lose won/lost up/down front/back top/bottom
  local/remote manual/automatic sync/async online/offline weekday/weekend summer/winter dev/prod staging/production
  window/aisle rise/fall rose/fell gain/loss arrive/leave love/hate like/dislike min/max minimum/maximum upper/lower
  read/write frontend/backend client/server teacher/student standing/sitting sit/stand wet/dry fill/pour pouring/filling
`;
export const OPPOSITE_PAIRS: ReadonlySet<string> = new Set(
  [...words(OPPOSITES)].flatMap((pair) => [pair, pair.split("/").reverse().join("/")]),
);

/** Invisible characters: zero-width, fillers, tags and selectors that carry text, line ends. */
export const HIDING = [
  ..."\u200b\u00ad\u2060\ufeff\u3164\u115f\u1160\uffa0\u2028\u2029\u034f\u180e\u200d\ufe0f",
  "\u{e0041}",
  "\u{e0101}",
];

/** English words for numbers and amounts, in lower case. */
export const NUMBER_WORDS =
  `two three four five six seven eight nine ten eleven twelve twenty thirty forty fifty sixty hundred
  thousand million half twice double first second third`.split(/\s+/);

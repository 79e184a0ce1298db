/** A short text that a simple regular expression matches: the first alternative of each group, and as little as possible of the rest. */
export function exampleOf(pattern: string): string {
  let at = 0;
  return alternatives().replace(/\s+/g, " ").trim();

  function alternatives(): string {
    const texts = [sequence()];
    while (pattern[at] === "|") {
      at++;
      texts.push(sequence());
    }
    return texts[0] ?? "";
  }

  function sequence(): string {
    let text = "";
    while (at < pattern.length && pattern[at] !== "|" && pattern[at] !== ")") text += repeated(atom());
    return text;
  }

  function repeated(text: string): string {
    const sign = pattern[at] ?? "";
    if (sign === "?" || sign === "*") {
      at++;
      if (pattern[at] === "?") at++;
      return text === ANY ? " " : "";
    }
    if (sign === "+") at++;
    return text === ANY ? "x" : text;
  }

  function atom(): string {
    const sign = pattern[at++] ?? "";
    if (sign === "(") {
      const isAhead = /^\?[=!]|^\?<[=!]/.test(pattern.slice(at));
      if (pattern[at] === "?") at += pattern.slice(at).search(/[:=!]/) + 1;
      const text = alternatives();
      at++;
      return isAhead ? "" : text;
    }
    if (sign === "[") {
      const end = pattern.indexOf("]", at);
      const text = pattern[at] ?? "";
      at = end + 1;
      return text;
    }
    if (sign === "\\") return ESCAPES[pattern[at++] ?? ""] ?? pattern[at - 1] ?? "";
    if (sign === "^" || sign === "$") return "";
    return sign === "." ? ANY : sign;
  }
}

const ANY = "\u0000";
const ESCAPES: Readonly<Record<string, string>> = { b: "", w: "x", d: "1", s: " " };

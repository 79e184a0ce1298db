/**
 * Facts from what a person said, without a model: conservative patterns of English, each of which gives a sentence that is
 * understood by itself. What is wrong costs more than what is missed, so what is not sure gives nothing.
 */
import { findSecrets } from "../core/secrets.ts";
import { withoutControls } from "../util/text.ts";
import { upperFirst } from "./infer-grammar.ts";
import { aboutPeople } from "./infer-people.ts";
import { aboutPreferences } from "./infer-preferences.ts";
import type { InferenceRule, InferredFact } from "./infer-rule.ts";
import { statementsIn } from "./infer-sentences.ts";
import { aboutTools } from "./infer-tools.ts";
import { aboutWork } from "./infer-work.ts";

const RULES: readonly InferenceRule[] = [...aboutPeople, ...aboutWork, ...aboutTools, ...aboutPreferences];
/** Nobody says more about themselves at once: the rest is a list of something else. */
const MOST_FACTS = 12;

/** From one message of the person, as it may be retained. Never throws; takes linear time. */
export function inferFacts(message: string): InferredFact[] {
  const found = new Map<string, InferredFact>();
  for (const { text, greeted } of statementsIn(withoutControls(message))) {
    const fact = firstOf(text, greeted);
    if (fact === null || findSecrets(fact.text).length > 0) continue;
    if (!found.has(fact.text)) found.set(fact.text, { ...fact, text: upperFirst(fact.text) });
    if (found.size === MOST_FACTS) break;
  }
  return [...found.values()];
}

function firstOf(clause: string, greeted: boolean): InferredFact | null {
  for (const rule of RULES) {
    const fact = rule(clause, greeted);
    if (fact !== null) return fact;
  }
  return null;
}

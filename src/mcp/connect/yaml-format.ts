/** YAML, edited as frontmatter and config files are. */
import { parseYaml } from "../../core/documents/read-yaml.ts";
import { writeYaml, writeYamlSection } from "../../core/documents/yaml-fields.ts";
import { type ConfigFormat, ConfigProblem, type Entry, notEditable } from "./config-format.ts";

export const YAML_FORMAT: ConfigFormat = {
  name: "YAML",
  parse,
  fresh: ({ section, name }, value) => writeYaml("", { [section]: { [name]: value } }).source,
  put(text, entry, value) {
    const { section, name } = entry;
    const entries = entriesOf(text, entry);
    if (entries.includes(name)) {
      const next = changed(text, entry, value);
      if (YAML_FORMAT.cut(next, entry) === YAML_FORMAT.cut(text, entry)) return next;
      throw notEditable(YAML_FORMAT, entry);
    }
    if (entries.length > 0) return inserted(text, changed(text, entry, value), entry);
    const open = text.replace(new RegExp(`^(${section}:)[ \\t]*\\{[ \\t]*\\}`, "m"), "$1");
    return inserted(open, writeYaml(open, { [section]: { [name]: value } }).source, entry);
  },
  cut(text, entry) {
    const next = changed(text, entry, undefined);
    inserted(next, text, entry);
    return next;
  },
};

function parse(text: string): unknown {
  const parsed = parseYaml(text);
  if ("message" in parsed) throw new ConfigProblem(parsed.message, parsed.line);
  return parsed.value;
}

function entriesOf(text: string, { section }: Entry): string[] {
  const root = parse(text) as Record<string, object | null> | null;
  return Object.keys(root?.[section] ?? {});
}

function changed(text: string, entry: Entry, value: object | undefined): string {
  const next = writeYamlSection(text, [entry.section], { [entry.name]: value });
  if (next === null) throw notEditable(YAML_FORMAT, entry);
  return next;
}

/** `after`, if it is `before` with one piece inserted. Otherwise the editor has printed more than the entry. */
function inserted(before: string, after: string, entry: Entry): string {
  let same = 0;
  while (same < before.length && before[same] === after[same]) same++;
  if (after.endsWith(before.slice(same))) return after;
  throw notEditable(YAML_FORMAT, entry);
}

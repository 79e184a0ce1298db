/** A document that a search found, and its versions. */
import { documentOfSource } from "../../core/memory.ts";
import type { SearchHit } from "../../recall/search.ts";
import { localDay } from "../../util/days.ts";
import { plural } from "../../util/in-words.ts";
import type { Picker } from "../events.ts";
import type { SlashContext } from "../slash-context.ts";
import type { Shown } from "./shown.ts";

/** `source` is "collection/id". Shows the part that was found; without one, all of it. */
export async function shownDocument(
  { ports: { documents } }: SlashContext,
  source: string,
  hit: SearchHit | undefined,
): Promise<Shown> {
  const { collection, id } = documentOfSource(source);
  const { file_path, content, version, updated_at } = await documents.get(id, { collection });
  const { versions } = await documents.versions(id, { collection });
  const earlier = versions.filter(({ current }) => !current);
  const where = hit === undefined ? "" : `, line ${hit.line}${hit.heading === "" ? "" : ` (${hit.heading})`}`;
  const changed = updated_at === null ? "" : `, changed ${localDay(updated_at)}`;
  const counted = earlier.length === 0 ? "" : `, ${plural(earlier.length, "earlier version")}`;
  return {
    text: [
      hit?.text ?? content,
      "",
      `- document ${source}${where}`,
      `- ${file_path}, version ${version}${changed}${counted}`,
    ].join("\n"),
    actions: [
      ...(hit === undefined ? [] : [{ value: `whole ${source}`, label: "Show all", detail: file_path }]),
      ...(earlier.length === 0
        ? []
        : [{ value: `versions ${source}`, label: "Restore an earlier version", detail: counted.slice(2) }]),
    ],
  };
}

export async function wholeDocument({ ports }: SlashContext, source: string): Promise<string> {
  const { collection, id } = documentOfSource(source);
  return (await ports.documents.get(id, { collection })).content;
}

/** Nothing is marked at first. */
export async function documentVersions({ ports }: SlashContext, source: string): Promise<Picker> {
  const { collection, id } = documentOfSource(source);
  const { versions } = await ports.documents.versions(id, { collection });
  const items = versions
    .filter(({ current }) => !current)
    .map(({ version, timestamp, message }) => ({
      value: `restore ${source} ${version}`,
      label: version,
      detail: [timestamp === null ? "" : localDay(timestamp), message ?? ""].filter(Boolean).join(", "),
    }));
  const title = `Which version of ${source} do you want to restore?`;
  return { title, command: "/memory", items, isPermanent: true, isDetail: true };
}

/** "collection/id v2". Restoring keeps the current text as a version. */
export async function restoreVersion({ ports }: SlashContext, said: string): Promise<string> {
  const space = said.lastIndexOf(" ");
  const { collection, id } = documentOfSource(said.slice(0, space));
  const version = said.slice(space + 1);
  await ports.documents.restore(id, { collection, version });
  return `Restored ${collection}/${id} to ${version}. The previous text is kept as a version.`;
}

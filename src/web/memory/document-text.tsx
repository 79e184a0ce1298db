/** A document's text. Links to other documents open here; other relative links would lead nowhere, so they are plain text. */
import { useCallback, useMemo } from "react";
import { decoded, linkTo } from "../route.ts";
import { Markdown, relativeLinks } from "../ui/markdown.tsx";
import { useCall } from "../use-call.ts";
import type { NamedDocument } from "./opened-memory.ts";

interface DocumentTextProps {
  readonly text: string;
  readonly named: NamedDocument;
}

const MOST_LINKS = 500;

export function DocumentText({ text, named: { collection, id, origin } }: DocumentTextProps) {
  const pathOf = useCallback(
    (href: string) => {
      const base = `http://memory/${[collection, ...id.split("/")].map(encodeURIComponent).join("/")}`;
      if (!URL.canParse(href, base)) return "";
      return decoded(new URL(href, base).pathname.slice(1)).replace(/\.md$/, "");
    },
    [collection, id],
  );
  const paths = useMemo(
    () => [...new Set(relativeLinks(text).map(pathOf))].slice(0, MOST_LINKS),
    [text, pathOf],
  );
  const { data } = useCall("document-paths", paths.length === 0 ? null : { paths, origin });
  // A newer answer is mostly the same.
  const found = JSON.stringify(data);
  const link = useCallback(
    (href: string) => {
      const named = (JSON.parse(found) as typeof data)?.find(({ path }) => path === pathOf(href));
      return named ? linkTo(["memory", named.collection, named.id], { from: origin ?? "" }) : null;
    },
    [found, pathOf, origin],
  );
  return <Markdown text={text} link={link} />;
}

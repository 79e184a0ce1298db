/** Stored conversations: #/sessions lists them, #/sessions/<id> shows one. */
import { linkTo, type Route } from "../route.ts";
import { filtersOf, SessionList } from "./list.tsx";
import { SessionReader } from "./reader.tsx";
import "./sessions.css";

export function SessionsView({ route: { path, query } }: { readonly route: Route }) {
  const [, id] = path;
  if (id === undefined || id === "") return <SessionList query={query} />;
  const said = query.get("origin");
  const origin = said === "project" || said === "home" ? said : undefined;
  return (
    <SessionReader
      key={`${origin} ${id}`}
      which={{ id, ...(origin !== undefined && { origin }) }}
      message={query.get("message")}
      back={linkTo(["sessions"], filtersOf(query))}
    />
  );
}

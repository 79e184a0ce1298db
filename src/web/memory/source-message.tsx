/** The message that a memory comes from, with its neighbours. */
import { localDay } from "../../util/days.ts";
import { linkTo } from "../route.ts";
import { Markdown } from "../ui/markdown.tsx";
import type { Opened } from "./opened-memory.ts";

type Found = Opened<"message">;

export function SourceMessage({ message, around, session }: Pick<Found, "message" | "around" | "session">) {
  const all = [...around.filter(({ id }) => id !== message.id), message].sort((a, b) => a.id - b.id);
  const link = linkTo(["sessions", message.session], { message: String(message.id) });
  return (
    <div className="source-message">
      <p>
        Said by {nameOf(message)} in <a href={link}>{session?.title ?? message.session}</a> on{" "}
        <time dateTime={message.timestamp}>{localDay(message.timestamp)}</time> (
        <a href={linkTo(["chat", message.session])}>continue the chat</a>)
      </p>
      <ol className="message-turns">
        {all.map((one) => (
          <li key={one.id} className={one.id === message.id ? "message-turn source" : "message-turn"}>
            <div className="speaker">
              {nameOf(one)}
              {one.id === message.id && <span className="hidden"> (the source)</span>}
            </div>
            <Markdown text={one.content} />
          </li>
        ))}
      </ol>
    </div>
  );
}

function nameOf({ speaker, role }: Found["message"] | Found["around"][number]): string {
  return speaker ?? (role === "user" ? "you" : role);
}

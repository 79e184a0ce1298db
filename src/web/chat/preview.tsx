/** A command, a diff, or a program's output, verbatim. */
import type { Shown, ToolPlan } from "../../agent/tool.ts";

type Previewed = Shown | NonNullable<ToolPlan["preview"]>;

export function Preview({ shown: { kind, text } }: { readonly shown: Previewed }) {
  const lines = text.replace(/\n$/, "").split("\n");
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
    <pre className="preview" tabIndex={0}>
      {kind === "diff"
        ? lines.map((line, index) => (
            <span key={index} className={lineClass(line)}>
              {`${line}\n`}
            </span>
          ))
        : lines.join("\n")}
    </pre>
  );
}

/** The sign at the beginning says the same as the colour. */
function lineClass(line: string): string {
  if (/^(?:\+\+\+|---|diff |index |@@)/.test(line)) return "soft";
  if (line.startsWith("+")) return "added";
  return line.startsWith("-") ? "removed" : "";
}

/** A sentence with a command between backticks, as code. The command may itself contain backticks. */
export function Coded({ text }: { readonly text: string }) {
  const [, before = text, code, after = ""] = /^([^`]*)`(.+)`([^`]*)$/s.exec(text) ?? [];
  return (
    <>
      {before}
      {code !== undefined && <code>{code}</code>}
      {after}
    </>
  );
}

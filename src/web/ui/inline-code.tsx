/** A sentence whose command between backticks becomes code. The command may itself contain backticks. */
export function InlineCode({ text }: { readonly text: string }) {
  const [, before = text, code, after = ""] = /^([^`]*)`(.+)`([^`]*)$/s.exec(text) ?? [];
  return (
    <>
      {before}
      {code !== undefined && <code>{code}</code>}
      {after}
    </>
  );
}

/** Markdown that is imported as text, and so becomes part of the bundle. */
declare module "*.md" {
  const text: string;
  export = text;
}

/** Markdown imported as text becomes part of the bundle. */
declare module "*.md" {
  const text: string;
  export = text;
}

/** What decides where programs keep their configs. */
export interface Machine {
  readonly platform: string;
  readonly homeDirectory: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

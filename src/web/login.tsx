/** The first screen of a browser that isn't logged in. */

import { type FormEvent, useState } from "react";
import { command } from "../core/hint.ts";
import { CallFailed, login } from "./api.ts";
import { CommandText } from "./ui/command-text.tsx";
import { Failure } from "./ui/failure.tsx";

interface LoginProps {
  /** Why the code of a link did not work. */
  readonly refusal: CallFailed | null;
  onDone(): void;
}

export function Login({ refusal, onDone }: LoginProps) {
  const [token, setToken] = useState("");
  const wasUsed = refusal?.code === "login";
  const [error, setError] = useState(wasUsed ? null : refusal);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    try {
      await login(token.trim());
      onDone();
    } catch (failure) {
      if (!(failure instanceof CallFailed)) throw failure;
      setError(failure);
    }
  };
  return (
    <main className="view column">
      <h1>Retain</h1>
      {wasUsed && <p className="note warning">This link has already been used. Each link works only once.</p>}
      <p>
        Open the link that <CommandText line={command("serve")} /> printed when it started. Or enter the
        server's token, which <CommandText line={command("serve", "token")} /> prints:
      </p>
      <form className="row" onSubmit={submit}>
        <label className="hidden" htmlFor="token">
          Token
        </label>
        <input
          id="token"
          className="grow"
          type="password"
          autoComplete="current-password"
          placeholder="Token"
          value={token}
          onChange={(event) => setToken(event.target.value)}
        />
        <button className="main" type="submit" disabled={token.trim() === ""}>
          Log in
        </button>
      </form>
      {error !== null && <Failure error={error} />}
    </main>
  );
}

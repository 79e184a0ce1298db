/** Overview: what is stored, learned, recalled and pending, and what it costs. */
import { command } from "../../core/hint.ts";
import { linkTo } from "../route.ts";
import { CommandText } from "../ui/command-text.tsx";
import { Failure } from "../ui/failure.tsx";
import { SetupHints } from "../ui/setup-hints.tsx";
import { Title } from "../ui/title.tsx";
import { useCall } from "../use-call.ts";
import { LastContext } from "./context.tsx";
import { Background, Health } from "./health.tsx";
import { Learned } from "./learned.tsx";
import { Recalls } from "./recalls.tsx";
import { Counts, Sizes, Where } from "./sizes.tsx";
import "./overview.css";

export function OverviewView() {
  const overview = useCall("overview", {});
  const status = useCall("status", {});
  const where = useCall("where", {});
  const error = overview.error ?? status.error ?? where.error;
  return (
    <div className="view column">
      <Title>Overview</Title>
      {error !== null && <Failure error={error} />}
      {overview.data !== null && status.data !== null && where.data !== null && (
        <div className="overview">
          <Counts workspaces={overview.data.workspaces} />
          {overview.data.learned.length === 0 ? (
            <FirstSteps />
          ) : (
            <Learned learned={overview.data.learned} today={overview.data.today} />
          )}
          <Recalls recalls={overview.data.recalls} />
          <LastContext context={overview.data.context} />
          <Health
            status={status.data}
            waiting={overview.data.workspaces.reduce((sum, { counts }) => sum + counts.waiting, 0)}
          />
          <Background status={status.data} background={overview.data.background} />
          <Sizes workspaces={overview.data.workspaces} />
          <Where where={where.data} backend={status.data.backend} />
        </div>
      )}
    </div>
  );
}

function FirstSteps() {
  return (
    <section className="panel column wide" aria-labelledby="first">
      <h2 id="first">Nothing learned yet</h2>
      <ul>
        <li>
          <a href={linkTo(["chat"])}>Chat</a>, and say what to remember.
        </li>
        <li>
          In a terminal: <CommandText line={command("remember", "The office is in Lyon")} />
        </li>
        <SetupHints />
      </ul>
    </section>
  );
}

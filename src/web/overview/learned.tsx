/** The chart of what was learned when; a screen reader gets a table. */

import type { Answer } from "../../serve/page/table.ts";
import { plural } from "../../util/in-words.ts";
import { type Bar, barsOf } from "./bars.ts";

const HEIGHT = 120;

export function Learned({ learned, today }: Pick<Answer<"overview">, "learned" | "today">) {
  const { unit, bars } = barsOf(learned, today);
  const highest = Math.max(1, ...bars.map(countOf));
  const pixels = (count: number) => (count === 0 ? 0 : Math.max(2, (count / highest) * HEIGHT));
  const sum = bars.reduce((total, bar) => total + countOf(bar), 0);
  return (
    <section className="panel column wide" aria-labelledby="learned">
      <div className="row">
        <h2 id="learned">Learned by {unit}</h2>
        <span className="soft end legend">
          <i className="part-0" /> facts <i className="part-1" /> unconfirmed
        </span>
      </div>
      <div className="chart" aria-hidden="true">
        <span className="soft top">{highest}</span>
        {bars.map((bar) => (
          <div key={bar.label} title={`${bar.label}: ${inWords(bar)}`}>
            <i className="part-1" style={{ height: pixels(bar.unconfirmed) }} />
            <i className="part-0" style={{ height: pixels(bar.facts) }} />
          </div>
        ))}
      </div>
      <div className="row soft axis" aria-hidden="true">
        <span>{bars[0]?.label}</span>
        <span className="end">{bars.at(-1)?.label}</span>
      </div>
      <table className="hidden">
        <caption>
          {plural(sum, "fact")} by {unit}
        </caption>
        <thead>
          <tr>
            <th scope="col">{unit}</th>
            <th scope="col">facts</th>
            <th scope="col">unconfirmed</th>
          </tr>
        </thead>
        <tbody>
          {bars
            .filter((bar) => countOf(bar) > 0)
            .map(({ label, facts, unconfirmed }) => (
              <tr key={label}>
                <th scope="row">{label}</th>
                <td>{facts}</td>
                <td>{unconfirmed}</td>
              </tr>
            ))}
        </tbody>
      </table>
    </section>
  );
}

function countOf({ facts, unconfirmed }: Bar): number {
  return facts + unconfirmed;
}

function inWords({ facts, unconfirmed }: Bar): string {
  return `${plural(facts, "fact")}${unconfirmed === 0 ? "" : `, ${unconfirmed} unconfirmed`}`;
}

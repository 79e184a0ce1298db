/** Why a search found a memory: its score, and a bar for each part of it. */
import type { Row } from "./rows.ts";

export function ScoreParts({ score }: { readonly score: NonNullable<Row["score"]> }) {
  const largest = Math.max(...score.reasons.map(({ value }) => Math.abs(value)));
  return (
    <div className="score-parts">
      <table aria-label="Why this score">
        <tbody>
          {score.reasons.map(({ reason, value }) => (
            <tr key={reason}>
              <td className="value">
                {value < 0 ? "−" : "+"}
                {Math.abs(value).toFixed(3)}
              </td>
              <td className="bar" aria-hidden="true">
                <span
                  className={value < 0 ? "less" : ""}
                  style={{ width: `${(Math.abs(value) / largest) * 100}%` }}
                />
              </td>
              <td>{reason}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <p className="soft">
        They add up to {score.score.toFixed(3)}.{score.guessed && " No exact match: similar spelling only."}
      </p>
    </div>
  );
}

/** Overview. */
export function OverviewView() {
  return <div className="view">Overview</div>;
}

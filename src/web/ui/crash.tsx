/** Catches an error of a view, so that the navigation still works. */
import { Component, type ReactNode } from "react";

export class Crash extends Component<{ readonly children: ReactNode }, { readonly error: unknown }> {
  override state = { error: null };

  static getDerivedStateFromError(error: unknown) {
    return { error };
  }

  override render(): ReactNode {
    if (this.state.error === null) return this.props.children;
    return (
      <div className="view column">
        <div className="note error" role="alert">
          This view failed: {String(this.state.error)}
        </div>
        <p>Your memory is not affected. Text that you typed here may be lost.</p>
        <div>
          <button type="button" className="main" onClick={() => location.reload()}>
            Reload
          </button>
        </div>
      </div>
    );
  }
}

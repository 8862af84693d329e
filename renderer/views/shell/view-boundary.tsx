import { Component, type ErrorInfo, type ReactNode } from "react";
import { Button } from "../../parts/button.tsx";
import { CopyButton } from "../../parts/copy.tsx";
import { HealthGlyph } from "../../parts/glyph.tsx";
import "./view-boundary.css";

interface BoundaryState {
  readonly error: Error | undefined;
  readonly where: string;
}

/** Text for a bug report: what broke, where, in which version. Names from the fabric are not in a stack. */
function report(view: string, state: BoundaryState): string {
  return [
    `Ibex, view ${view}`,
    state.error?.stack ?? String(state.error),
    state.where.trim(),
    `window ${window.innerWidth} × ${window.innerHeight}, ${navigator.userAgent}`,
  ].join("\n\n");
}

/** Keeps a bug in one view from taking the window with it. A change of `resetKey` tries the view again. */
export class ViewBoundary extends Component<
  { readonly view: string; readonly resetKey: unknown; readonly children: ReactNode },
  BoundaryState
> {
  override state: BoundaryState = { error: undefined, where: "" };

  static getDerivedStateFromError(error: unknown): Partial<BoundaryState> {
    return { error: error instanceof Error ? error : new Error(String(error)) };
  }

  override componentDidCatch(_error: Error, info: ErrorInfo): void {
    this.setState({ where: info.componentStack ?? "" });
  }

  override componentDidUpdate(before: { readonly resetKey: unknown }): void {
    if (this.state.error !== undefined && before.resetKey !== this.props.resetKey) this.again();
  }

  private again(): void {
    this.setState({ error: undefined, where: "" });
  }

  override render(): ReactNode {
    const { error } = this.state;
    if (error === undefined) return this.props.children;
    return (
      <div className="view-boundary" role="alert">
        <HealthGlyph health="error" size={22} />
        <div>
          <h2>This part of the window has stopped</h2>
          <p>
            It is a fault in Ibex, not in the fabric. Everything that was collected and measured is kept, and the other
            views go on.
          </p>
          <div className="view-boundary-actions">
            <Button kind="primary" onClick={() => this.again()}>
              Show it again
            </Button>
            <CopyButton kind="plain" label="Copy report" text={() => report(this.props.view, this.state)} />
          </div>
        </div>
      </div>
    );
  }
}

import { Component, type ErrorInfo, type ReactNode } from "react";
import { strings } from "../strings";
import { PlainPage } from "./PlainPage";

/** Catches what breaks while rendering, so that a person sees words and not an empty window. */
export class Boundary extends Component<{ children: ReactNode }, { broken: boolean }> {
  override state = { broken: false };

  static getDerivedStateFromError() {
    return { broken: true };
  }

  override componentDidCatch(error: Error, info: ErrorInfo) {
    console.error(error, info.componentStack);
  }

  override render() {
    if (!this.state.broken) return this.props.children;
    return (
      <PlainPage pose="waiting" title={strings.failure.title} action={{ label: strings.failure.reload, run: () => location.reload() }}>
        {strings.failure.crashed}
      </PlainPage>
    );
  }
}

import { Component, Fragment, type ReactNode } from "react";

interface EditorBoundaryProps {
  children: ReactNode;
  /** The editor broke while it was rendering. Answers whether to try it anew. */
  onBroke(error: unknown): boolean;
  /** Another number makes another editor. */
  attempt: number;
}

/** When the editor breaks it is made anew, without what broke it; the studio around it stays. */
export class EditorBoundary extends Component<EditorBoundaryProps, { error: unknown; over: boolean }> {
  override state = { error: null as unknown, over: false };

  static getDerivedStateFromError(error: unknown) {
    return { error };
  }

  override componentDidCatch(error: unknown) {
    if (this.props.onBroke(error)) this.setState({ error: null });
    else this.setState({ over: true });
  }

  override render() {
    const { error, over } = this.state;
    if (over) throw error;
    return error === null ? <Fragment key={this.props.attempt}>{this.props.children}</Fragment> : null;
  }
}

import type { ComponentChildren } from "preact";
import { go } from "../router";

interface Props {
  readonly to: string;
  readonly testid: string;
  readonly class?: string;
  readonly children: ComponentChildren;
}

/** A link within the page; with a modifier key it is an ordinary one. */
export function Link({ to, testid, class: kind, children }: Props) {
  return (
    <a
      href={to}
      class={kind ?? "text"}
      data-testid={testid}
      onClick={(event) => {
        if (event.metaKey || event.ctrlKey || event.shiftKey) return;
        event.preventDefault();
        go(to);
      }}
    >
      {children}
    </a>
  );
}

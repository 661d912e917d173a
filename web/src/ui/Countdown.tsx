import { useEffect, useRef } from "preact/hooks";
import { t, tn, type Counted, type Key } from "../i18n";
import { msUntil } from "../state/session";

interface Props {
  /** The moment in the server's time. */
  readonly at: number | null;
  /** The words with the seconds that are left, and those for when there are none. */
  readonly counted: Counted;
  readonly soon: Key;
  readonly testid: string;
}

/** A countdown in words that writes itself past the components, like the turn's clock. */
export function Countdown({ at, counted, soon, testid }: Props) {
  const ref = useRef<HTMLParagraphElement>(null);
  useEffect(() => {
    const write = () => {
      const left = at === null ? null : msUntil(at);
      const seconds = Math.ceil((left ?? 0) / 1000);
      if (ref.current) ref.current.textContent = seconds > 0 ? tn(counted, seconds) : t(soon);
    };
    write();
    const timer = setInterval(write, 250);
    return () => clearInterval(timer);
  }, [at]);
  return <p ref={ref} class="next" data-testid={testid} />;
}

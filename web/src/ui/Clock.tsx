import { useEffect, useRef } from "preact/hooks";
import { sentence, t, type Key } from "../i18n";
import { link, msUntil } from "../state/session";

/** Minutes and seconds, as on a clock. */
export function minutes(ms: number): string {
  const seconds = Math.max(0, Math.ceil(ms / 1000));
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

interface Props {
  /** The moment in the server's time. */
  readonly at: number;
  /** Words with `{time}`, and those for when it has come. */
  readonly counted: Key;
  readonly soon: Key;
  readonly tier?: string;
  readonly testid?: string;
}

/** Words with a clock in them that writes itself past the components; `?` while nobody knows. */
export function Clock({ at, counted, soon, tier = "", testid }: Props) {
  const ref = useRef<HTMLSpanElement>(null);
  const state = link.value;
  useEffect(() => {
    const write = () => {
      const left = msUntil(at);
      const time = left === null ? "?" : minutes(left);
      const text = left !== null && left <= 0 ? t(soon, { tier }) : sentence(counted, { time, tier });
      if (ref.current !== null && ref.current.textContent !== text) ref.current.textContent = text;
    };
    write();
    const timer = setInterval(write, 250);
    return () => clearInterval(timer);
  }, [at, state, counted, tier]);
  return <span ref={ref} class="clock" data-testid={testid} />;
}

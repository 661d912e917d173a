import { useLayoutEffect, useRef } from "preact/hooks";

/**
 * Hears the keys of a whole screen from the moment it is there, and always as it is by then: what
 * waits for the next picture comes too late for who presses two keys at once.
 */
export function useKeydown(hear: (event: KeyboardEvent) => void): void {
  const newest = useRef(hear);
  newest.current = hear;
  useLayoutEffect(() => {
    const listen = (event: KeyboardEvent) => newest.current(event);
    window.addEventListener("keydown", listen);
    return () => window.removeEventListener("keydown", listen);
  }, []);
}

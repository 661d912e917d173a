// The screen stays on while a match is played. Browsers give this up by themselves whenever the
// page is hidden, so it is asked for again when the page comes back.

/** Keeps the screen on until the answer is called. */
export function stayAwake(): () => void {
  if (!("wakeLock" in navigator)) return () => {};
  let over = false;
  let lock: WakeLockSentinel | null = null;
  const ask = async () => {
    if (over || document.visibilityState !== "visible" || (lock !== null && !lock.released)) return;
    try {
      lock = await navigator.wakeLock.request("screen");
      if (over) await lock.release();
    } catch {
      lock = null; // Refused, as on a low battery: then the screen does as it always does.
    }
  };
  const seen = () => void ask();
  document.addEventListener("visibilitychange", seen);
  void ask();
  return () => {
    over = true;
    document.removeEventListener("visibilitychange", seen);
    void lock?.release();
  };
}

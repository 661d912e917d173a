import { signal } from "@preact/signals";

const query = matchMedia("(min-width: 900px) and (min-height: 481px)");

/** Whether there is room for a panel at the side, as the style sheets see it. */
export const isWide = signal(query.matches);

query.addEventListener("change", () => (isWide.value = query.matches));

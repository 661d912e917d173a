// The parts that only a championship's table has; their code comes with the first such table.

import { speakMore } from "../../i18n";
import { lazily } from "../../ui/lazily";

async function parts() {
  const [module] = await Promise.all([import("../official"), speakMore()]);
  return module;
}

export const Gathering = lazily(async () => (await parts()).Gathering);
export const AfterMatch = lazily(async () => (await parts()).AfterMatch);
export const LookAway = lazily(async () => (await parts()).LookAway);

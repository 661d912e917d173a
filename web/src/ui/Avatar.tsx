import { ANIMAL_ART } from "../art/animals";
import type { Animal } from "../state/names";

/** An animal on a round of paper. */
export function Avatar({ animal }: { readonly animal: Animal }) {
  return (
    <svg
      class="avatar"
      viewBox="0 0 64 64"
      aria-hidden="true"
      dangerouslySetInnerHTML={{ __html: ANIMAL_ART[animal] }}
    />
  );
}

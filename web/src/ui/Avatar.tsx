import { animalArt } from "../art/animals";
import { medallion } from "../art/medallion";

/** An animal on a round of paper: its linocut, or its seal. */
export function Avatar({ animal }: { readonly animal: string }) {
  const markup = animalArt(animal) ?? medallion(animal);
  return (
    <svg class="avatar" viewBox="0 0 64 64" aria-hidden="true" dangerouslySetInnerHTML={{ __html: markup }} />
  );
}

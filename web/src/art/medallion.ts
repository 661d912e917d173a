// A round seal for animals that have no linocut of their own: an inked ring with one of six
// borders cut into it, and two letters. The same animal always has the same seal.

const CENTRE = 32;

/** What is cut into the ring once, at its top; and how often it goes round. */
const BORDERS: readonly (readonly [cut: string, times: number])[] = [
  ['<path class="p" d="M32 3l3 7.500h-6z"/>', 16],
  ['<circle class="p" cx="32" cy="7" r="2.600"/>', 14],
  ['<path class="p" d="M32 2.500q4.500 4 0 8.500-4.500-4.500 0-8.500z"/>', 14],
  ['<path class="c" d="M26.500 8.500q2.750-6 5.500 0t5.500 0"/>', 9],
  ['<path class="p" d="m32 3 3.800 4-3.800 4-3.800-4z"/>', 12],
  ['<path class="c" d="M30 4v6M34 4v6"/>', 14],
];

const SMALL_WORDS = new Set(["de", "do", "da"]);

/** Two letters of an animal's id: tatu-bola is TB, pitu is Pi. */
export function lettersOf(id: string): string {
  const [first = "", second] = id.split("-").filter((word) => !SMALL_WORDS.has(word));
  const other = second === undefined ? first.charAt(1) : second.charAt(0).toUpperCase();
  return first.charAt(0).toUpperCase() + other;
}

function borderOf(id: string): (typeof BORDERS)[number] {
  const sum = [...id].reduce((so_far, char) => (so_far * 31 + (char.codePointAt(0) ?? 0)) % 9973, 7);
  return BORDERS[sum % BORDERS.length] as (typeof BORDERS)[number];
}

export function medallion(id: string): string {
  const [cut, times] = borderOf(id);
  const around = Array.from(
    { length: times },
    (_, i) => `<g transform="rotate(${((i * 360) / times).toFixed(2)} ${CENTRE} ${CENTRE})">${cut}</g>`,
  );
  return (
    `<circle class="k" cx="${CENTRE}" cy="${CENTRE}" r="31"/>${around.join("")}` +
    `<circle class="p" cx="${CENTRE}" cy="${CENTRE}" r="20"/>` +
    `<text class="letters" x="${CENTRE}" y="40.500">${lettersOf(id)}</text>`
  );
}

// Linocuts in a box of 64×64: `k` is inked, `c` is cut out of the ink, `p` is bare paper, `l` is an
// inked line. Written as markup, since nothing in them ever changes.

const mirrored = (half: string) => `${half}<g transform="matrix(-1 0 0 1 64 0)">${half}</g>`;

const caranguejo =
  mirrored(
    '<path class="k" d="M20 34C11 32 5 25 7 16c1-5 6-9 11-8-3 2-4 5-3 8 2-4 6-5 10-3-1 7-4 10-8 12 1 3 3 4 6 5z"/>' +
      '<path class="l" d="M17 41 8 43l-4 7M19 46l-8 4-2 8M24 49l-5 5v7"/>' +
      '<path class="l" d="m28 29-2-6"/><circle class="k" cx="25.500" cy="21" r="2.800"/>',
  ) +
  '<path class="k" d="M13 39c0-8 9-13 19-13s19 5 19 13-9 12-19 12-19-4-19-12z"/>' +
  '<path class="c" d="M21 36q11-7 22 0M24 44h.1M32 46h.1M40 44h.1M27 40q5 3 10 0"/>';

const tartaruga =
  mirrored(
    '<path class="k" d="M22 24C16 15 9 14 3 19c1 6 7 10 14 12zM21 45c-6 2-9 7-8 13 6 0 11-4 13-10z"/>',
  ) +
  '<path class="k" d="M27 14c-1-6 1-10 5-10s6 4 5 10zM30 51h4l-2 9z"/>' +
  '<path class="k" d="M32 12c10 0 17 9 17 21S42 53 32 53 15 45 15 33s7-21 17-21z"/>' +
  '<path class="c" d="m32 23 8 5v9l-8 5-8-5v-9zM32 23v-8M40 28l6-4M40 37l6 5M32 42v8M24 37l-6 5M24 28l-6-4"/>' +
  '<path class="c" d="M30 8h.1M34 8h.1"/>';

const galo =
  '<path class="k" d="M36 34C36 20 45 9 60 8c-7 4-9 8-10 12 4-3 9-4 13-2-7 2-11 7-13 13 3-2 7-2 10 1-9 1-12 9-19 13z"/>' +
  '<path class="k" d="M17 22c0-7 4-11 10-11s9 5 9 11c0 5 3 8 9 10 6 9 0 20-13 20-11 0-17-8-16-17 0-5 1-9 1-13z"/>' +
  '<path class="k" d="M19 13c-2-4-1-8 2-10 0 2 1 4 2 5 0-4 3-6 6-6-1 2 0 4 1 6 2-2 4-2 6 0-3 2-4 4-4 8z"/>' +
  '<path class="k" d="m18 18-10 4 10 3zM18 25c-4 2-4 7-1 10 3-2 4-5 4-9z"/>' +
  '<path class="l" d="M27 51v8M34 51v8M21 60h9M29 60h9"/>' +
  '<path class="c" d="M24 19h.1M25 36c7-4 14-1 16 5-5 6-12 6-16 1M21 28l3 4M27 28l2 4M42 27l10-9M46 31l9-5"/>';

const bode =
  mirrored(
    '<path class="k" d="M28 24C17 23 9 16 9 4c5 2 7 6 10 9 3 4 7 5 12 7zM23 29c-7-3-14-1-18 5 6 4 13 3 18-1z"/>',
  ) +
  '<path class="k" d="M22 24c3-4 17-4 20 0 3 9 1 21-4 28-3 4-9 4-12 0-5-7-7-19-4-28z"/>' +
  '<path class="k" d="M27 52c0 4 2 8 5 11 3-3 5-7 5-11z"/>' +
  '<path class="c" d="m25 31 4 2M39 31l-4 2M29 46l3 3 3-3M32 49v4M32 22v12M28 23v6M36 23v6M14 10l4 1M18 16l4-1M50 10l-4 1M46 16l-4-1"/>';

const coruja =
  '<path class="k" d="M13 21c-2-6-1-13 1-18 4 2 8 4 10 6 5-2 11-2 16 0 2-2 6-4 10-6 2 5 3 12 1 18 4 11 3 26-5 34-5 5-23 5-28 0-8-8-9-23-5-34z"/>' +
  mirrored('<circle class="p" cx="23.500" cy="23" r="7.500"/><circle class="k" cx="24.500" cy="23" r="3.600"/>') +
  '<path class="p" d="m32 26 4 6-4 6-4-6z"/>' +
  '<path class="c" d="m22 41 3 3 3-3M29 43l3 3 3-3M36 41l3 3 3-3M25 48l3 3 3-3M33 48l3 3 3-3M14 36c0 8 2 13 5 17M50 36c0 8-2 13-5 17"/>' +
  '<path class="l" d="M26 57v4M29 57v4M35 57v4M38 57v4"/>';

const onca =
  '<path class="k" d="M13 21c-5-4-6-10-3-14 5-3 10-1 13 3 6-2 12-2 18 0 3-4 8-6 13-3 3 4 2 10-3 14 4 10 2 21-5 27-4 6-8 9-14 9s-10-3-14-9c-7-6-9-17-5-27z"/>' +
  mirrored(
    '<path class="p" d="M17 30q5-6 11 1-6 5-11-1z"/><circle class="k" cx="22.500" cy="30" r="2"/>' +
      '<path class="c" d="M12 12q3-1 5 2M22 16q3-2 4 1-2 3-4-1M17 22q3-2 4 1-3 2-4-1M15 38q3-1 3 2M19 44q3-1 3 2M27 22h.1M26 47l-8-1M26 50l-7 3"/>',
  ) +
  '<path class="p" d="M27 40h10l-5 5z"/><path class="c" d="M32 45v4M32 49q-4 4-8 1M32 49q4 4 8 1M32 11v7"/>';

const calango =
  '<path class="l l4" d="M33 44c-6 5-13 3-17 8-2 4 1 8 6 8"/>' +
  '<path class="l l8" d="M37 25c-4 6 2 12-4 19"/><path class="l l10" d="M41 15c-3 4-5 7-4 12"/>' +
  '<path class="k" d="M37 14c-1-6 2-11 6-12 4 2 6 7 4 12-2 4-8 4-10 0z"/>' +
  '<path class="l l4" d="m35 21-11-4-4-7M40 24l11 3 6-5M33 40l-11-4-7 4M36 43l10 2 3 9"/>' +
  '<path class="l" d="m20 10-5 1M20 10V4M57 22l4 2M57 22V16M15 40l-4-3M15 40l-3 4M49 54l-5 2M49 54l4 3"/>' +
  '<path class="c" d="M41 8h.1M45 9h.1M41 16l-3 3M40 21l-4 2M38 27l-3 1M38 33l-4 1M36 39l-4 1"/>';

const tubarao =
  '<path class="k" d="M2 35c8-11 20-16 33-13 8 1 13 5 17 9 3-5 6-8 10-9-2 6-2 10-1 16-4-1-7-2-10-4-6 6-15 9-24 9-11 0-19-3-25-8z"/>' +
  '<path class="k" d="M26 24c1-9 6-14 14-17-2 8 0 13 5 18zM25 41c0 7-3 12-9 15 10 1 17-4 20-13z"/>' +
  '<circle class="p" cx="13" cy="32" r="2"/>' +
  '<path class="c" d="M21 30q-3 4 0 8M25 29q-3 5 0 10M29 29q-3 5 0 10M5 37q6 2 11 1M36 33q8-2 15 2M32 19l4-6"/>' +
  '<path class="l" d="M2 61q5-5 10 0t10 0 10 0 10 0 10 0 10 0"/>';

/** By the ids of bots' animals, and by those of animals.json. */
export const ANIMAL_ART: ReadonlyMap<string, string> = new Map(
  Object.entries({
    caranguejo,
    tartaruga,
    galo,
    bode,
    coruja,
    onca,
    calango,
    tubarao,
    "caranguejo-uca": caranguejo,
    "tartaruga-verde": tartaruga,
    "cabure-de-pernambuco": coruja,
    jaguatirica: onca,
    "tubarao-limao": tubarao,
  }),
);

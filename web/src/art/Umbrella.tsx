/** The frevo umbrella: the mark of the house. */
export function Umbrella({ size = 40 }: { readonly size?: number }) {
  return (
    <svg class="umbrella" viewBox="0 0 64 64" width={size} height={size} aria-hidden="true">
      <path class="rod" d="M32 30v22q0 7-6 7t-6-6M32 9V3" />
      <path class="red" d="M32 8C18 8 5 19 5 35q7-6 14 0C19 23 24 13 32 8z" />
      <path class="yellow" d="M32 8C24 13 19 23 19 35q6.500-6 13 0z" />
      <path class="green" d="M32 8v27q6.500-6 13 0C45 23 40 13 32 8z" />
      <path class="blue" d="M32 8c8 5 13 15 13 27q7-6 14 0C59 19 46 8 32 8z" />
    </svg>
  );
}

/** The name in letters as if cut with a knife, one path each. */
export function Wordmark() {
  return (
    <svg class="wordmark" viewBox="2 4 250 66" role="img" aria-label="Lá e Lô">
      <path d="M4 16h26l-3 7v33h11l2-9h9v19H4l4-8V23z" />
      <path
        fill-rule="evenodd"
        d="M75 29h12v28l5 9H78l-2-4c-3 3-7 5-11 5-8 0-14-7-14-19s6-20 15-20c3 0 6 1 8 4zm-7 8c-4 0-6 4-6 11s2 10 6 10 7-4 7-10-3-11-7-11z"
      />
      <path d="m62 22 9-17h14L71 22z" />
      <path
        fill-rule="evenodd"
        transform="translate(-5)"
        d="M151 51h-24c1 5 4 7 8 7s7-1 10-3l4 8c-4 3-9 4-15 4-12 0-19-7-19-19 0-13 7-20 18-20s18 7 18 19zm-24-7h13c0-5-2-8-6-8s-6 3-7 8z"
      />
      <path d="M166 16h26l-3 7v33h9l2-9h8v19h-42l4-8V23z" transform="translate(1)" />
      <path
        fill-rule="evenodd"
        transform="translate(13)"
        d="M219 28c10 0 16 8 16 19.500S229 67 219 67s-16-8-16-19.500S209 28 219 28zm0 9c-4 0-6 4-6 10.500S215 58 219 58s6-4 6-10.500S223 37 219 37z"
      />
      <path transform="translate(13)" d="m203 23 10-15h12l10 15h-12l-4-7-4 7z" />
    </svg>
  );
}

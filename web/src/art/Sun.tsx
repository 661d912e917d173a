const RAYS = 16;
const STRAIGHT = "M-7 -60 0 -104 7 -60z";
const WAVY = "M-9 -60C-16 -78 8 -84 -2 -112 16 -98 2 -80 9 -60z";

/** The sun of the fair, as it is cut into the table: a face among straight and wavy rays. */
export function Sun() {
  return (
    <g class="sun">
      {Array.from({ length: RAYS }, (_, i) => (
        <path key={i} d={i % 2 ? STRAIGHT : WAVY} transform={`rotate(${(i * 360) / RAYS})`} />
      ))}
      <circle r="56" class="sun-rim" />
      <circle r="46" />
      <path class="sun-cut" d="M-24 -14q8 -8 16 0M8 -14q8 -8 16 0M-3 -8q-6 14 3 16 5 1 7 -2" />
      <path class="sun-cut" d="M-18 17q18 14 36 0M-14 20q14 18 28 0M-30 4q4 3 8 0M22 4q4 3 8 0" />
      <path class="sun-cut" d="M-20 -7q4 4 8 0M12 -7q4 4 8 0" />
    </g>
  );
}

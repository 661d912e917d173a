const FLAGS = ["red", "yellow", "blue", "green", "barro"] as const;
const SPAN = 14;
const STEP = 40;

/** How far the string hangs at a flag: it is held up at both ends and in the middle. */
function sag(index: number): number {
  const along = (index % (SPAN / 2)) / (SPAN / 2);
  return Math.sin(along * Math.PI) * 18;
}

/** A string of paper flags, as in June. */
export function Bunting() {
  const points = Array.from({ length: SPAN + 1 }, (_, i) => `${i * STEP} ${6 + sag(i)}`);
  return (
    <svg class="bunting" viewBox={`0 0 ${SPAN * STEP} 64`} preserveAspectRatio="xMidYMin slice" aria-hidden="true">
      <polyline class="string" points={points.join(" ")} />
      {Array.from({ length: SPAN }, (_, i) => {
        const x = i * STEP + 8;
        const y = 6 + (sag(i) + sag(i + 1)) / 2;
        const lean = sag(i + 1) - sag(i);
        return (
          <path
            key={i}
            class={FLAGS[i % FLAGS.length]}
            d={`M${x} ${y - lean / 4}h24v32l-12 -9 -12 9z`}
          />
        );
      })}
    </svg>
  );
}

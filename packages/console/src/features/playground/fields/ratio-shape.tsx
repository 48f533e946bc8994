const boxPixels = 22;

/** The outline of `width:height`; null for a text that is no ratio. */
export function RatioShape({ ratio }: { ratio: string }) {
  const [width, height] = ratio.split(/[:x]/).map(Number);
  if (!(width && height)) return null;
  const scale = boxPixels / Math.max(width, height);
  const [across, down] = [width * scale, height * scale];
  return (
    <svg
      width={boxPixels + 2}
      height={boxPixels + 2}
      viewBox={`0 0 ${boxPixels + 2} ${boxPixels + 2}`}
      aria-hidden="true"
    >
      <rect
        x={1 + (boxPixels - across) / 2}
        y={1 + (boxPixels - down) / 2}
        width={across}
        height={down}
        rx="2"
        fill="none"
        stroke="currentColor"
        strokeWidth="1.75"
      />
    </svg>
  );
}

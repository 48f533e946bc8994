import { encode } from "uqr";

/** Dark on light in both colour schemes: cameras need it. */
export function QrCode({ text, label }: { text: string; label: string }) {
  const { data, size } = encode(text, { ecc: "M", border: 2 });
  const dark = data.flatMap((row, y) =>
    row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])),
  );
  return (
    <svg viewBox={`0 0 ${size} ${size}`} role="img" aria-label={label} className="size-48 bg-white">
      <path d={dark.join("")} fill="#000" />
    </svg>
  );
}

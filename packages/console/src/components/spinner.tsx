import { classNames } from "./class-names.ts";

const slits = [0, 45, 90, 135, 180, 225, 270, 315];

/** The loading indicator: a zoetrope seen from above. */
export function Spinner({ className = "size-4" }: { className?: string }) {
  return (
    <svg viewBox="0 0 24 24" className={classNames("spinner", className)} aria-hidden="true">
      <circle cx="12" cy="12" r="10" fill="none" stroke="currentColor" strokeWidth="1.5" />
      {slits.map((angle) => (
        <line
          key={angle}
          x1="12"
          y1="3.5"
          x2="12"
          y2="7"
          stroke="currentColor"
          strokeWidth="2"
          strokeLinecap="round"
          opacity={0.25 + angle / 420}
          transform={`rotate(${angle} 12 12)`}
        />
      ))}
    </svg>
  );
}

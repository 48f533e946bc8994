import { classNames } from "./class-names.ts";

/** Strokes on a grid of 24. */
const paths = {
  play: "M7 4.500v15l12-7.500z",
  compare: "M4 5h6v14H4zM14 5h6v14h-6z",
  gallery: "M4 4h7v7H4zM13 4h7v7h-7zM4 13h7v7H4zM13 13h7v7h-7z",
  asset: "M4 5h16v14H4zM4 16l5-5 4 4 3-3 4 4M9 9.500h.01",
  money: "M4 7h16v11H4zM4 11h16M8 15h3",
  list: "M4 6h16M4 12h16M4 18h10",
  bell: "M6 17V11a6 6 0 0 1 12 0v6l2 1H4zM10 21h4",
  key: "M8 16a4 4 0 1 1 3.500-6H21v4h-3v3h-3v-3h-3.500A4 4 0 0 1 8 16z",
  webhook: "M8 8a4 4 0 1 1 6 3l3 5M16 16a3 3 0 1 1 0 .1M9 16H5a3 3 0 1 1 2-5",
  log: "M6 3h9l4 4v14H6zM14 3v5h5M9 13h7M9 17h5",
  code: "M9 7l-5 5 5 5M15 7l5 5-5 5",
  people:
    "M9 11a3.500 3.500 0 1 0 0-7 3.500 3.500 0 0 0 0 7zM2.500 20a6.500 6.500 0 0 1 13 0M16 4.500a3.500 3.500 0 0 1 0 6.500M18 14a6.500 6.500 0 0 1 3.500 6",
  person: "M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM4.500 20.500a7.500 7.500 0 0 1 15 0",
  audit: "M5 4h14v16H5zM9 9h6M9 13h6M9 17h3",
  review: "M4 12l5 5L20 6",
  history: "M4 12a8 8 0 1 0 3-6.200M4 4v4h4M12 8v4l3 2",
  chart: "M4 20h16M7 16v-5M12 16V6M17 16v-8",
  status: "M3 12h4l3-8 4 16 3-8h4",
  vendor: "M4 6h16v5H4zM4 13h16v5H4zM7.500 8.500h.01M7.500 15.500h.01",
  search: "M11 18a7 7 0 1 0 0-14 7 7 0 0 0 0 14zM16 16l5 5",
  account: "M4 20V8l8-4 8 4v12zM9 20v-6h6v6",
  stuck: "M12 4l9 16H3zM12 10v4M12 17h.01",
  ledger: "M5 4h14v17l-3-2-2 2-2-2-2 2-2-2-3 2zM9 9h6M9 13h6",
  switch: "M8 7h8a5 5 0 0 1 0 10H8A5 5 0 0 1 8 7zM8 14a2 2 0 1 0 0-4 2 2 0 0 0 0 4z",
  close: "M6 6l12 12M18 6L6 18",
  menu: "M4 7h16M4 12h16M4 17h16",
  down: "M6 9l6 6 6-6",
  right: "M9 6l6 6-6 6",
  left: "M15 6l-6 6 6 6",
  check: "M5 12l5 5 9-10",
  copy: "M8 8h11v12H8zM5 16V4h11",
  download: "M12 4v11M7 11l5 5 5-5M4 20h16",
  upload: "M12 16V5M7 9l5-5 5 5M4 20h16",
  delete: "M5 7h14M9 7V4h6v3M7 7l1 13h8l1-13",
  again: "M20 12a8 8 0 1 1-3-6.200M20 4v4h-4",
  plus: "M12 5v14M5 12h14",
  external: "M14 4h6v6M20 4l-9 9M18 14v6H4V6h6",
  pause: "M8 5v14M16 5v14",
  sun: "M12 16a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM12 2v2M12 20v2M2 12h2M20 12h2M5 5l1.500 1.500M17.500 17.500L19 19M5 19l1.500-1.500M17.500 6.500L19 5",
  more: "M5 12h.01M12 12h.01M19 12h.01",
  undo: "M9 7L4 12l5 5M4 12h10a6 6 0 0 1 6 6",
  skip: "M5 5l9 7-9 7zM18 5v14",
  link: "M10 14a4 4 0 0 0 6 0l3-3a4 4 0 0 0-6-6l-1 1M14 10a4 4 0 0 0-6 0l-3 3a4 4 0 0 0 6 6l1-1",
} as const;

export type IconName = keyof typeof paths;

export function Icon({ name, className = "size-4" }: { name: IconName; className?: string }) {
  return (
    <svg
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.75"
      strokeLinecap="round"
      strokeLinejoin="round"
      className={classNames("shrink-0", className)}
      aria-hidden="true"
    >
      <path d={paths[name]} />
    </svg>
  );
}

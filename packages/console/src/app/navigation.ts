import type { IconName } from "../components/icon.tsx";
import { isStartSkipped } from "../features/start/first-start.ts";
import type { frame } from "../i18n/en/frame.ts";
import type { Session } from "./session.tsx";

type AreaName = keyof (typeof frame)["areas"];
type PageName = keyof (typeof frame)["pages"];

interface Entry {
  page: PageName;
  to: string;
  icon: IconName;
  /** Not every page of an area is for everybody who sees the area. */
  isFor?: (session: Session) => boolean;
}

interface Area {
  area: AreaName;
  isFor(session: Session): boolean;
  entries: readonly Entry[];
}

const hasAccount = ({ account }: Session) => account !== null;
const isOwner = ({ account }: Session) => account?.role === "owner";
const isOperator = ({ me }: Session) => me.staffRole === "operator";
const isStaff = ({ me }: Session) => me.staffRole === "operator" || me.staffRole === "support";
const mayReview = ({ me }: Session) => me.staffRole === "operator" || me.staffRole === "reviewer";

/** Every page that the navigation and the palette offer, except those that the role may not use. */
const areas: readonly Area[] = [
  {
    area: "create",
    isFor: ({ account }) => account !== null && account.role !== "viewer",
    entries: [
      { page: "playground", to: "/playground", icon: "play" },
      { page: "compare", to: "/compare", icon: "compare" },
    ],
  },
  {
    area: "library",
    isFor: hasAccount,
    entries: [
      { page: "gallery", to: "/gallery", icon: "gallery" },
      { page: "assets", to: "/assets", icon: "asset" },
    ],
  },
  {
    area: "money",
    isFor: hasAccount,
    entries: [
      { page: "usage", to: "/usage", icon: "money" },
      { page: "statement", to: "/statement", icon: "ledger" },
      { page: "alerts", to: "/alerts", icon: "bell" },
      { page: "prices", to: "/prices", icon: "money" },
    ],
  },
  {
    area: "developers",
    isFor: hasAccount,
    entries: [
      { page: "quickstart", to: "/quickstart", icon: "code" },
      { page: "keys", to: "/keys", icon: "key" },
      { page: "webhooks", to: "/webhooks", icon: "webhook" },
      { page: "requests", to: "/requests", icon: "log" },
    ],
  },
  {
    area: "team",
    isFor: isOwner,
    entries: [
      { page: "members", to: "/members", icon: "people" },
      { page: "audit", to: "/audit", icon: "audit" },
    ],
  },
  {
    area: "review",
    isFor: mayReview,
    entries: [
      { page: "queue", to: "/review", icon: "review" },
      { page: "reviewHistory", to: "/review/history", icon: "history" },
      { page: "figures", to: "/review/figures", icon: "chart" },
    ],
  },
  {
    area: "operations",
    isFor: isStaff,
    entries: [
      { page: "status", to: "/operations", icon: "status" },
      { page: "vendors", to: "/operations/vendors", icon: "vendor" },
      { page: "tasks", to: "/operations/tasks", icon: "search" },
      { page: "accounts", to: "/operations/accounts", icon: "account" },
      { page: "grants", to: "/operations/grants", icon: "money" },
      { page: "priceBooks", to: "/operations/prices", icon: "ledger" },
      { page: "deliveries", to: "/operations/deliveries", icon: "webhook" },
      { page: "stuck", to: "/operations/stuck", icon: "stuck" },
      { page: "ledger", to: "/operations/ledger", icon: "ledger" },
      { page: "switches", to: "/operations/switches", icon: "switch" },
      { page: "staff", to: "/operations/staff", icon: "people", isFor: isOperator },
      { page: "start", to: "/start", icon: "play", isFor: isOperator },
    ],
  },
];

export function areasOf(session: Session): readonly Area[] {
  return areas
    .filter(({ isFor }) => isFor(session))
    .map(({ entries, ...area }) => ({
      ...area,
      entries: entries.filter(({ isFor }) => isFor === undefined || isFor(session)),
    }));
}

/** Pages that no menu names, and who opens them. Everything else below the frame is for everybody. */
const unlisted: readonly Pick<Entry, "to" | "isFor">[] = [{ to: "/tasks", isFor: hasAccount }];

/** Whether a page, or one below it such as an account's, is for this role. */
export function mayOpen(session: Session, path: string): boolean {
  const listed = areas.flatMap(({ isFor, entries }) =>
    entries.map((entry) => ({
      to: entry.to,
      isFor: (one: Session) => isFor(one) && entry.isFor?.(one) !== false,
    })),
  );
  const [nearest] = [...listed, ...unlisted]
    .filter(({ to }) => path === to || path.startsWith(`${to}/`))
    .sort((one, other) => other.to.length - one.to.length);
  return nearest?.isFor?.(session) !== false;
}

/** Returns the start page if no page is named. An operator with nothing set up is led to the first video. */
export function homeOf(session: Session): string {
  if (isOperator(session) && session.account === null)
    return isStartSkipped() ? "/operations" : "/start";
  return areasOf(session)[0]?.entries[0]?.to ?? "/profile";
}

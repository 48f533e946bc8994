import {
  createRootRoute,
  createRoute,
  createRouter,
  Outlet,
  redirect,
  retainSearchParams,
} from "@tanstack/react-router";
import { isSignedOut, queryClient } from "../lib/client.ts";
import { parseSearch, stringifySearch } from "../lib/filters.ts";
import { Home } from "./home.tsx";
import { loadPage } from "./load-page.tsx";
import { type Me, meQuery } from "./session.tsx";
import { Shell } from "./shell.tsx";
import { Failed, FailedAlone, Loading, NotFound } from "./states.tsx";

const root = createRootRoute({
  component: Outlet,
  errorComponent: FailedAlone,
  notFoundComponent: NotFound,
  validateSearch: (search: Record<string, unknown>) => search as Record<string, string | undefined>,
  search: { middlewares: [retainSearchParams(["account"])] },
});

/** Asked for before anything is drawn. */
let firstMe: Promise<Me> | null = null;

/** Pages of somebody who is signed in. */
const shell = createRoute({
  id: "shell",
  getParentRoute: () => root,
  component: Shell,
  errorComponent: FailedAlone,
  beforeLoad: async ({ location }) => {
    try {
      await (firstMe ?? queryClient.ensureQueryData(meQuery));
    } catch (error) {
      firstMe = null;
      if (!isSignedOut(error)) throw error;
      throw redirect({ to: "/sign-in", search: { returnTo: `/console${location.href}` } as never });
    }
  },
});

const home = createRoute({ path: "/", getParentRoute: () => shell, component: Home });
/** Whatever no other page is. */
const nowhere = createRoute({ path: "$", getParentRoute: () => shell, component: NotFound });

type Load = Parameters<typeof loadPage>[0];

/** Returns the routes of pages, each in a separate file that is loaded when it is opened. */
function pagesBelow<Parent extends typeof root | typeof shell>(
  parent: Parent,
  pages: Record<string, readonly [Load, string]>,
) {
  return Object.entries(pages).map(([path, [load, name]]) =>
    createRoute({
      path,
      getParentRoute: () => parent,
      component: loadPage(load, name),
      ...(parent === root ? { errorComponent: FailedAlone } : {}),
    }),
  );
}

const open = pagesBelow(root, {
  "/sign-in": [() => import("../pages/sign-in.tsx"), "SignInPage"],
  "/invitation": [() => import("../pages/invitation.tsx"), "InvitationPage"],
  "/reset-password": [() => import("../pages/reset-password.tsx"), "ResetPasswordPage"],
  "/confirm-email": [() => import("../pages/confirm-email.tsx"), "ConfirmEmailPage"],
  "/verify": [() => import("../pages/verify.tsx"), "VerifyPage"],
});

const closed = pagesBelow(shell, {
  "/playground": [() => import("../pages/playground.tsx"), "PlaygroundPage"],
  "/compare": [() => import("../pages/compare.tsx"), "ComparePage"],
  "/gallery": [() => import("../pages/gallery.tsx"), "GalleryPage"],
  "/tasks/$taskId": [() => import("../pages/task.tsx"), "TaskPage"],
  "/assets": [() => import("../pages/assets.tsx"), "AssetsPage"],
  "/usage": [() => import("../pages/usage.tsx"), "UsagePage"],
  "/statement": [() => import("../pages/statement.tsx"), "StatementPage"],
  "/prices": [() => import("../pages/prices.tsx"), "PricesPage"],
  "/alerts": [() => import("../pages/alerts.tsx"), "AlertsPage"],
  "/quickstart": [() => import("../pages/quickstart.tsx"), "QuickstartPage"],
  "/keys": [() => import("../pages/keys.tsx"), "KeysPage"],
  "/webhooks": [() => import("../pages/webhooks.tsx"), "WebhooksPage"],
  "/requests": [() => import("../pages/requests.tsx"), "RequestsPage"],
  "/members": [() => import("../pages/members.tsx"), "MembersPage"],
  "/audit": [() => import("../pages/audit.tsx"), "AuditPage"],
  "/profile": [() => import("../pages/profile.tsx"), "ProfilePage"],
  "/review": [() => import("../pages/review.tsx"), "ReviewPage"],
  "/review/history": [() => import("../pages/review-history.tsx"), "ReviewHistoryPage"],
  "/review/figures": [() => import("../pages/review-figures.tsx"), "ReviewFiguresPage"],
  "/start": [() => import("../pages/start.tsx"), "StartPage"],
  "/operations": [() => import("../pages/status.tsx"), "StatusPage"],
  "/operations/vendors": [() => import("../pages/vendors.tsx"), "VendorsPage"],
  "/operations/tasks": [() => import("../pages/all-tasks.tsx"), "AllTasksPage"],
  "/operations/accounts": [() => import("../pages/accounts.tsx"), "AccountsPage"],
  "/operations/accounts/$accountId": [() => import("../pages/account.tsx"), "AccountPage"],
  "/operations/grants": [() => import("../pages/grants.tsx"), "GrantsPage"],
  "/operations/prices": [() => import("../pages/price-books.tsx"), "PriceBooksPage"],
  "/operations/deliveries": [() => import("../pages/all-deliveries.tsx"), "AllDeliveriesPage"],
  "/operations/stuck": [() => import("../pages/stuck-rows.tsx"), "StuckRowsPage"],
  "/operations/ledger": [() => import("../pages/ledger-checks.tsx"), "LedgerChecksPage"],
  "/operations/switches": [() => import("../pages/switches.tsx"), "SwitchesPage"],
  "/operations/staff": [() => import("../pages/staff.tsx"), "StaffPage"],
});

export const router = createRouter({
  routeTree: root.addChildren([shell.addChildren([home, ...closed, nowhere]), ...open]),
  basepath: "/console",
  caseSensitive: true, // as the rules are that say who may open a page
  defaultPreload: "intent",
  defaultPreloadStaleTime: 0,
  defaultPendingComponent: Loading,
  defaultErrorComponent: Failed,
  defaultNotFoundComponent: NotFound,
  scrollRestoration: true,
  parseSearch,
  stringifySearch,
});

/** Requests the code of the first page and the session at once, not one after the other. */
export function startFirstPage(): void {
  const [routes] = router.getMatchedRoutes(router.latestLocation.pathname);
  for (const { options } of routes) void options.component?.preload?.();
  if (!routes.some(({ id }) => id === shell.id)) return;
  firstMe = queryClient.fetchQuery(meQuery);
  firstMe.catch(() => {}); // told when the page is opened
}

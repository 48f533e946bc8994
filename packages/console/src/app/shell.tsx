import { Outlet, useRouter, useRouterState } from "@tanstack/react-router";
import { Suspense, useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { Button, IconButton } from "../components/button.tsx";
import { classNames } from "../components/class-names.ts";
import { Icon } from "../components/icon.tsx";
import { isDialogOpen } from "../components/open-dialogs.ts";
import { useFreshMoney } from "../features/money/queries.ts";
import { useIsLive } from "../lib/live.tsx";
import { useDropGuard } from "../lib/use-drop-guard.ts";
import { Announcement } from "./announcement.tsx";
import { CommandPalette } from "./command-palette.tsx";
import { areasOf, mayOpen } from "./navigation.ts";
import { type Session, SessionProvider, useSession } from "./session.tsx";
import { Sidebar } from "./sidebar.tsx";
import { Loading, NoAccess } from "./states.tsx";

export function Shell() {
  return (
    <Suspense fallback={<Loading />}>
      <SessionProvider>
        <Frame />
      </SessionProvider>
    </Suspense>
  );
}

function Frame() {
  const { t } = useTranslation();
  const session = useSession();
  const { account } = session;
  usePages(session);
  const isLive = useIsLive();
  useFreshMoney();
  useDropGuard();
  const [isMenuOpen, setMenuOpen] = useState(false);
  const menuButton = useRef<HTMLButtonElement>(null);
  const [isPaletteOpen, setPaletteOpen] = useState(false);
  const path = useRouterState({ select: (state) => state.location.pathname });
  // biome-ignore lint/correctness/useExhaustiveDependencies: another page closes the menu
  useEffect(() => setMenuOpen(false), [path]);
  useEffect(() => {
    if (!isMenuOpen) return;
    const close = (event: KeyboardEvent) => {
      if (event.key !== "Escape") return;
      setMenuOpen(false);
      menuButton.current?.focus();
    };
    window.addEventListener("keydown", close);
    const wide = matchMedia("(width >= 64rem)"); // the menu stands beside the page then
    const widen = () => setMenuOpen(false);
    wide.addEventListener("change", widen);
    return () => {
      window.removeEventListener("keydown", close);
      wide.removeEventListener("change", widen);
    };
  }, [isMenuOpen]);
  useEffect(() => {
    const open = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== "k" || !(event.metaKey || event.ctrlKey)) return;
      event.preventDefault();
      if (!isDialogOpen()) setPaletteOpen(true); // what is typed into a dialog would be lost
    };
    window.addEventListener("keydown", open);
    return () => window.removeEventListener("keydown", open);
  }, []);
  return (
    <div className="flex min-h-screen">
      <a
        href="#content"
        className="sr-only focus:not-sr-only focus:fixed focus:top-2 focus:left-2 focus:z-50 focus:rounded focus:bg-raised focus:px-3 focus:py-2"
      >
        {t("skipToContent")}
      </a>
      {isMenuOpen && (
        <button
          type="button"
          aria-label={t("closeMenu")}
          onClick={() => setMenuOpen(false)}
          className="fixed inset-0 z-20 bg-black/50 lg:hidden"
        />
      )}
      <div
        className={classNames(
          "fixed inset-y-0 left-0 z-30 w-60 border-r border-line bg-panel lg:sticky lg:top-0 lg:block lg:h-screen lg:shrink-0",
          !isMenuOpen && "hidden",
        )}
      >
        <Sidebar onSearch={() => setPaletteOpen(true)} />
      </div>
      <div className="flex min-w-0 flex-1 flex-col">
        <section aria-label={t("notices")}>
          <div className="flex items-center gap-2 border-b border-line bg-panel p-2 lg:hidden">
            <IconButton
              ref={menuButton}
              label={t("menu")}
              aria-expanded={isMenuOpen}
              onClick={() => setMenuOpen(!isMenuOpen)}
            >
              <Icon name="menu" />
            </IconButton>
            <span className="font-semibold">Zoetrope</span>
          </div>
          <Announcement />
          {account?.isTest === true && (
            <p className="bg-warn-soft px-4 py-1.5 text-sm text-warn">{t("testMode")}</p>
          )}
          {!isLive && (
            <p role="status" className="flex items-center gap-3 bg-warn-soft px-4 py-1.5 text-warn">
              {t("streamLost")}
              <Button isSmall onClick={() => location.reload()}>
                {t("reload")}
              </Button>
            </p>
          )}
        </section>
        <main id="content" tabIndex={-1} inert={isMenuOpen} className="flex-1 outline-none">
          <Suspense fallback={<Loading />}>
            {mayOpen(session, path) ? <Outlet /> : <NoAccess />}
          </Suspense>
        </main>
      </div>
      <CommandPalette isOpen={isPaletteOpen} onClose={() => setPaletteOpen(false)} />
    </div>
  );
}

/** Loads the code of the pages that this role can open, one after the other, when there is nothing else to do: without a network they still open. */
function usePages(session: Session): void {
  const { routesByPath } = useRouter();
  const { account, me } = session;
  const role = `${account?.role} ${me.staffRole}`;
  // biome-ignore lint/correctness/useExhaustiveDependencies: by role, not by account
  useEffect(() => {
    if ((navigator as SavingNavigator).connection?.saveData === true) return;
    const paths = areasOf(session).flatMap(({ entries }) => entries.map(({ to }) => to));
    const left = [...paths, "/profile", "/tasks/$taskId", "/operations/accounts/$accountId"].filter(
      (path) => mayOpen(session, path),
    );
    let isOver = false;
    const loadNext = async () => {
      const path = left.shift();
      if (isOver || path === undefined) return;
      const { [path as keyof typeof routesByPath]: route } = routesByPath;
      await route?.options.component?.preload?.();
      whenIdle(() => void loadNext());
    };
    const timer = setTimeout(() => whenIdle(() => void loadNext()), calmMs);
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [role]);
}

/** A navigator that may say whether the user pays for data; not every browser does. */
interface SavingNavigator extends Navigator {
  connection?: { saveData?: boolean };
}

/** The time by which everything that the first page needs has been loaded. */
const calmMs = 3_000;

/** Safari has no idle time. */
function whenIdle(act: () => void): void {
  if ("requestIdleCallback" in window) requestIdleCallback(act);
  else setTimeout(act, 200);
}

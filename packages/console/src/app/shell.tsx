import { Outlet, useRouterState } from "@tanstack/react-router";
import { Suspense, useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { Button, IconButton } from "../components/button.tsx";
import { classNames } from "../components/class-names.ts";
import { Icon } from "../components/icon.tsx";
import { useFreshMoney } from "../features/money/queries.ts";
import { useIsLive } from "../lib/live.tsx";
import { useDropGuard } from "../lib/use-drop-guard.ts";
import { Announcement } from "./announcement.tsx";
import { CommandPalette } from "./command-palette.tsx";
import { SessionProvider, useSession } from "./session.tsx";
import { Sidebar } from "./sidebar.tsx";
import { Loading } from "./states.tsx";

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
  const { account } = useSession();
  const isLive = useIsLive();
  useFreshMoney();
  useDropGuard();
  const [isMenuOpen, setMenuOpen] = useState(false);
  const [isPaletteOpen, setPaletteOpen] = useState(false);
  const path = useRouterState({ select: (state) => state.location.pathname });
  // biome-ignore lint/correctness/useExhaustiveDependencies: another page closes the menu
  useEffect(() => setMenuOpen(false), [path]);
  useEffect(() => {
    const open = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== "k" || !(event.metaKey || event.ctrlKey)) return;
      event.preventDefault();
      setPaletteOpen(true);
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
        <main id="content" tabIndex={-1} className="flex-1 outline-none">
          <Suspense fallback={<Loading />}>
            <Outlet />
          </Suspense>
        </main>
      </div>
      <CommandPalette isOpen={isPaletteOpen} onClose={() => setPaletteOpen(false)} />
    </div>
  );
}

import { Link } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { Icon } from "../components/icon.tsx";
import { AccountSwitcher } from "./account-switcher.tsx";
import { areasOf } from "./navigation.ts";
import { PersonMenu } from "./person-menu.tsx";
import { useSession } from "./session.tsx";

export function Sidebar({ onSearch }: { onSearch(): void }) {
  const { t } = useTranslation();
  const session = useSession();
  return (
    <header className="flex h-full flex-col">
      <div className="flex items-center gap-2 px-4 pt-4 pb-3">
        <img src="/console/mark.svg" alt="" className="size-7" />
        <span className="text-lg font-semibold">Zoetrope</span>
      </div>
      {session.account !== null && <AccountSwitcher />}
      <button
        type="button"
        onClick={onSearch}
        className="mx-3 mt-2 flex h-8 items-center gap-2 rounded-md border border-line px-2 text-sm text-muted hover:bg-sunken"
      >
        <Icon name="search" />
        <span className="flex-1 text-left">{t("search")}</span>
        <kbd className="font-sans text-xs">Ctrl K</kbd>
      </button>
      <nav aria-label={t("menu")} className="flex-1 overflow-y-auto px-3 py-2">
        {areasOf(session).map(({ area, entries }) => (
          <div key={area} className="mb-3">
            <h2 className="px-2 py-1 text-xs font-medium text-muted">{t(`areas.${area}`)}</h2>
            <ul>
              {entries.map(({ page, to, icon }) => (
                <li key={page}>
                  <Link
                    to={to}
                    activeOptions={{ exact: to === "/operations" || to === "/review" }}
                    className="flex h-8 items-center gap-2 rounded-md px-2 text-ink hover:bg-sunken aria-[current=page]:bg-accent-soft aria-[current=page]:font-medium aria-[current=page]:text-accent-strong"
                  >
                    <Icon name={icon} />
                    {t(`pages.${page}`)}
                  </Link>
                </li>
              ))}
            </ul>
          </div>
        ))}
      </nav>
      <PersonMenu />
    </header>
  );
}

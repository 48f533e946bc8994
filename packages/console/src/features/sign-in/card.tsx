import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { currentLanguage, type Language, languages, setLanguage } from "../../i18n/language.ts";

/** The frame of a page for somebody who is not signed in. */
export function Card({ title, children }: { title: string; children: ReactNode }) {
  const { t } = useTranslation();
  return (
    <main className="mx-auto flex min-h-screen max-w-sm flex-col justify-center gap-6 p-4">
      <title>{`${title} · Zoetrope`}</title>
      <div className="flex items-center gap-3">
        <img src="/console/mark.svg" alt="" className="size-9" />
        <span className="text-2xl font-semibold">Zoetrope</span>
      </div>
      <div className="flex flex-col gap-4 rounded-lg border border-line bg-panel p-6">
        <h1 className="text-xl font-semibold">{title}</h1>
        {children}
      </div>
      <select
        aria-label={t("language")}
        value={currentLanguage()}
        onChange={(event) => void setLanguage(event.target.value as Language)}
        className="self-start rounded border border-line bg-panel px-2 py-1 text-sm"
      >
        {Object.entries(languages).map(([language, name]) => (
          <option key={language} value={language}>
            {name}
          </option>
        ))}
      </select>
    </main>
  );
}

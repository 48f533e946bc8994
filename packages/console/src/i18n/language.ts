import i18next from "i18next";
import { initReactI18next } from "react-i18next";
import type { Texts } from "./texts.ts";

export const languages = { en: "English", zh: "中文" } as const;
export type Language = keyof typeof languages;

const place = "zoetrope.language";

const load: Record<Language, () => Promise<{ texts: Texts }>> = {
  en: () => import("./en/texts.ts"),
  zh: () => import("./zh/texts.ts"),
};

function preferred(): Language {
  const kept = localStorage.getItem(place) ?? navigator.language;
  return kept.startsWith("zh") ? "zh" : "en";
}

export async function startLanguage(): Promise<void> {
  await i18next.use(initReactI18next).init({
    defaultNS: "frame",
    fallbackLng: false,
    fallbackNS: false,
    load: "currentOnly", // every text is there; looking elsewhere takes time
    interpolation: { escapeValue: false }, // React escapes
    resources: {},
    returnNull: false,
  });
  await setLanguage(preferred());
}

export async function setLanguage(language: Language): Promise<void> {
  const { texts } = await load[language]();
  for (const [area, part] of Object.entries(texts))
    i18next.addResourceBundle(language, area, part, true, true);
  await i18next.changeLanguage(language);
  document.documentElement.lang = language === "zh" ? "zh-CN" : "en";
  localStorage.setItem(place, language);
}

export function currentLanguage(): Language {
  return i18next.language === "zh" ? "zh" : "en";
}

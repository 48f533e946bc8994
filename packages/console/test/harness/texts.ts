import i18next, { type TFunction } from "i18next";
import { texts as en } from "../../src/i18n/en/texts.ts";
import type { Language } from "../../src/i18n/language.ts";
import { texts as zh } from "../../src/i18n/zh/texts.ts";

const areas = Object.keys(en) as (keyof typeof en)[];
export type T = TFunction<typeof areas>;

/** The texts of the pages, for finding what a person reads. */
export function textsOf(language: Language): T {
  const instance = i18next.createInstance();
  void instance.init({
    lng: language,
    ns: areas,
    defaultNS: "frame",
    resources: { en, zh },
    interpolation: { escapeValue: false },
    initAsync: false,
  });
  return instance.t as T;
}

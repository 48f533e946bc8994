/** Languages in which texts for people are served; the first is the default. */
export const languages = ["en", "zh"] as const;
export type Language = (typeof languages)[number];

/** A text for people in every language. */
export type Text = Readonly<Record<Language, string>>;

/** As `Content-Language` names them: the Chinese is simplified. */
export const languageTags: Text = { en: "en", zh: "zh-CN" };

/** A name that is the same in every language. */
export function same(text: string): Text {
  return { en: text, zh: text };
}

/** The language that `Accept-Language` weighs highest; English where it names none of ours. */
export function languageOf(acceptLanguage: string | undefined): Language {
  let best: { language: Language; weight: number } = { language: "en", weight: 0 };
  for (const range of (acceptLanguage ?? "").split(",")) {
    const [tag = "", ...parameters] = range
      .trim()
      .toLowerCase()
      .split(/\s*;\s*/);
    const language = languages.find((one) => one === tag.split("-")[0]);
    const weight = weightOf(parameters);
    if (language !== undefined && weight > best.weight) best = { language, weight };
  }
  return best.language;
}

function weightOf(parameters: readonly string[]): number {
  const given = parameters.find((one) => one.startsWith("q="));
  return given === undefined ? 1 : Number(given.slice(2)) || 0;
}

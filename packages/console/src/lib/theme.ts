export const themes = ["system", "light", "dark"] as const;
export type Theme = (typeof themes)[number];

const place = "zoetrope.theme";

export function readTheme(): Theme {
  const kept = localStorage.getItem(place);
  return themes.find((theme) => theme === kept) ?? "system";
}

export function applyTheme(theme: Theme): void {
  if (theme === "system") delete document.documentElement.dataset["theme"];
  else document.documentElement.dataset["theme"] = theme;
  localStorage.setItem(place, theme);
}

import type { TFunction } from "i18next";

/** What a rate key prices, such as `720p with video input`. */
export function rateName(t: TFunction<"prices">, model: string, key: string): string {
  if (model === "upscale") return t("rate.upscale", { resolution: key });
  if (key.startsWith("upscale."))
    return t("rate.upscale", { resolution: key.slice("upscale.".length) });
  const [resolution = key, detail] = key.split(".");
  if (detail === undefined) return resolution;
  return detail === "withVideo"
    ? t("rate.withVideo", { resolution })
    : t("rate.quality", { resolution, quality: detail });
}

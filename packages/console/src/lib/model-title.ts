import i18next from "i18next";

/** The titles of the models as the catalogue has them, in every language the same. Pages need no request for them. */
const titles: Readonly<Record<string, string>> = {
  sd2: "SD2",
  "sd2-fast": "SD2 Fast",
  happyhorse: "HappyHorse",
  "image-pro-2": "Image Pro 2",
  "image-plus-2": "Image Plus 2",
};

/** Returns the common name of a model or of the upscaler. An unknown model is shown by its id. */
export function modelTitle(model: string): string {
  return model === "upscale" ? i18next.t("gallery:kind.upscale") : (titles[model] ?? model);
}

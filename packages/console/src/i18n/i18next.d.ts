import "i18next";
import type { texts } from "./en/texts.ts";

declare module "i18next" {
  interface CustomTypeOptions {
    defaultNS: "frame";
    resources: typeof texts;
  }
}

import { ark } from "./ark/ark.ts";
import { dashscope } from "./dashscope/dashscope.ts";
import type { VendorKind } from "./define-vendor.ts";
import { gemini } from "./gemini/gemini.ts";
import { openai } from "./openai/openai.ts";

/** Every vendor that the setting VENDORS can name. */
export const vendorKinds: readonly VendorKind[] = [ark, dashscope, openai, gemini];

/** The vendors whose protocols the sandbox speaks. */
export const vendors = ["ark", "ark-assets", "dashscope", "openai", "gemini", "fal"] as const;
export type Vendor = (typeof vendors)[number];

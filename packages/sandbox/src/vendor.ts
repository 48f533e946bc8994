/** Whose protocols the sandbox speaks. */
export const vendors = ["ark", "ark-assets", "dashscope", "openai", "gemini"] as const;
export type Vendor = (typeof vendors)[number];

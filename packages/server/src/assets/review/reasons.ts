/**
 * The reasons for which a person refuses an asset: codes for programs, titles for people. The text of a
 * refusal adds to the title.
 */
export const refusalReasons = {
  consent_missing: {
    en: "Shows a real person without a valid declaration of consent",
    zh: "出现真人，但没有有效的授权声明",
  },
  public_figure: { en: "Shows a public figure", zh: "出现公众人物" },
  minor: { en: "Shows a minor", zh: "出现未成年人" },
  sexual: { en: "Shows sexual content", zh: "包含色情内容" },
  violence: { en: "Shows violence or cruelty", zh: "包含暴力或残忍内容" },
  hate: { en: "Incites hatred or harassment", zh: "煽动仇恨或骚扰" },
  personal_data: {
    en: "Shows documents or other personal data",
    zh: "包含证件或其他个人信息",
  },
  copyright: {
    en: "Uses a protected work, character or trademark",
    zh: "使用受保护的作品、角色或商标",
  },
  illegal: { en: "Shows illegal content", zh: "包含违法内容", isAtOnce: true },
  other: {
    en: "Does not meet the rules of this service",
    zh: "不符合本服务的规定",
    needsText: true,
  },
} as const satisfies Record<string, RefusalReason>;

interface RefusalReason {
  en: string;
  zh: string;
  /** Takes effect at once: it cannot be undone, and the copy is deleted. */
  isAtOnce?: true;
  /** Says too little without a text. */
  needsText?: true;
}

export type RefusalCode = keyof typeof refusalReasons;
export const refusalCodes = Object.keys(refusalReasons) as [RefusalCode, ...RefusalCode[]];

export function reasonOf(code: RefusalCode): RefusalReason {
  return refusalReasons[code];
}

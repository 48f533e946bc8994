import type { texts as english } from "./en/texts.ts";

/** The texts of another language: a missing one is a type error. */
export type Translated<Part> = {
  readonly [Name in keyof Part]: Part[Name] extends string ? string : Translated<Part[Name]>;
};

export type Texts = Translated<typeof english>;

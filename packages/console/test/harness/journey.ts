import type { Language } from "../../src/i18n/language.ts";
import type { Visit, Visitor } from "./visit.ts";

/** A visitor's actions in the console from beginning to end. The journey's name is a guarantee. */
export interface Journey {
  readonly name: string;
  readonly visitor: Visitor;
  /** It is about this language alone. */
  readonly language?: Language;
  run(visit: Visit): Promise<void>;
}

/** The extent of a journey where that is a matter of size. */
export interface Profile {
  readonly isFull: boolean;
  /** Six journeys stand for all: what the console is made of has not changed. */
  readonly isShort: boolean;
}

// biome-ignore lint/style/noProcessEnv: set by `npm run console-test` and by `.ci/run`
const size = process.env["CONSOLE_PROFILE"];
export const profile: Profile = { isFull: size === "full", isShort: size === "short" };

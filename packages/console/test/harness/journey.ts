import type { Visit, Visitor } from "./visit.ts";

/** What somebody does in the console from beginning to end. Its name is a guarantee. */
export interface Journey {
  readonly name: string;
  readonly visitor: Visitor;
  run(visit: Visit): Promise<void>;
}

/** How much a journey does where that is a matter of size. */
export interface Profile {
  readonly isFull: boolean;
}

// biome-ignore lint/style/noProcessEnv: set by `npm run console-test`
export const profile: Profile = { isFull: process.env["CONSOLE_PROFILE"] === "full" };

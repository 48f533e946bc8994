import { inject } from "vitest";

declare module "vitest" {
  interface ProvidedContext {
    isFullScale: boolean | undefined;
  }
}

/** How much of it a test does: in the ordinary run, and in `npm run -s long`. */
export function scaled(ordinary: number, full: number): number {
  return inject("isFullScale") === true ? full : ordinary;
}

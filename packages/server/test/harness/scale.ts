import { inject } from "vitest";

declare module "vitest" {
  interface ProvidedContext {
    isFullScale: boolean | undefined;
  }
}

/** Returns the size of a test: in the ordinary run, or in `npm run -s long`. */
export function scaled<T>(ordinary: T, full: T): T {
  return inject("isFullScale") === true ? full : ordinary;
}

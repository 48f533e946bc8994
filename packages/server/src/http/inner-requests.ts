import { AsyncLocalStorage } from "node:async_hooks";

/** The id of the request on whose behalf another one is made in this process: both have the same. */
export const outerRequestId = new AsyncLocalStorage<string>();

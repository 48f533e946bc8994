/**
 * The settings given to a runtime, as JSON in the variable `CLIENT_SETTINGS` or in the page's
 * `/settings.json`.
 */
export interface Settings {
  /** The address of the service, without a slash at its end. */
  readonly baseUrl: string;
  /** The address of the same service behind resets, 500s, 429s and lost responses. */
  readonly faultyUrl: string;
  /** The service at an address that is of another origin for a page; null outside of browsers. */
  readonly foreignUrl: string | null;
  /** The folder of downloads; null where there are no files. */
  readonly dir: string | null;
  readonly keys: {
    readonly usual: string;
    /** The key of an account whose tasks are counted afterwards. */
    readonly counted: string;
    /** The key of an account with one credit. */
    readonly poor: string;
    /** The key of an account that may have three open tasks. */
    readonly limited: string;
  };
  /** A PNG. */
  readonly imageBase64: string;
  /** Logical creates through the faults. */
  readonly creates: number;
  readonly batch: number;
  /** The number of waits that are aborted. */
  readonly aborts: number;
}

/** One line per check, on standard output. */
export interface CheckLine {
  readonly check: string;
  readonly ok: boolean;
  readonly ms: number;
  readonly error?: string;
  /** The slowest of the aborted waits, in milliseconds. */
  readonly abortMs?: number;
  /** Ids of the tasks that were created through faults. */
  readonly taskIds?: readonly string[];
}

/** What a runtime is given, as JSON in the variable `CLIENT_SETTINGS` or in the page's `/settings.json`. */
export interface Settings {
  /** Of the service, without a slash at its end. */
  readonly baseUrl: string;
  /** The same service behind resets, 500s, 429s and lost answers. */
  readonly faultyUrl: string;
  /** The service at an address that is of another origin for a page; null outside of browsers. */
  readonly foreignUrl: string | null;
  /** Where downloads go; null where there are no files. */
  readonly dir: string | null;
  readonly keys: {
    readonly usual: string;
    /** Of an account whose tasks are counted afterwards. */
    readonly counted: string;
    /** Of an account with one credit. */
    readonly poor: string;
    /** Of an account that may have three open tasks. */
    readonly limited: string;
  };
  /** A PNG. */
  readonly imageBase64: string;
  /** Logical creates through the faults. */
  readonly creates: number;
  readonly batch: number;
  /** How many waits are aborted. */
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

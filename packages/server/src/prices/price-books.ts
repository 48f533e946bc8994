import { setTimeout as pause } from "node:timers/promises";
import type { DirectoryDb } from "../db/database.ts";
import type { LoopState } from "../flow/loop.ts";
import { createOutage, type Log } from "../log.ts";
import { type PriceDocument, priceDocument } from "./document.ts";
import { listVersions, readDocument } from "./queries.ts";

/** A published version is known to every process within this time and that of two queries. */
const everyMs = 2_000;
/** A version is published at least this long before it begins. */
const unreadMsMax = 60_000;

/** A published version of a price book. It never changes; `endsAt` is known once the next one is published. */
export interface PriceVersion {
  book: string;
  version: number;
  /** The name of book and version in requests and responses, such as `A@2`. */
  id: string;
  validFrom: Date;
  /** Null: no later version is known. */
  endsAt: Date | null;
  document: PriceDocument;
}

/**
 * The price books as this process last read them. It knows a version before it applies and switches by the
 * time of the database. If it cannot read, it goes on with what it knows, and says so in its `state`.
 */
export interface PriceBooks {
  /** A new object whenever a version was published. */
  current(): ReadonlyMap<string, readonly PriceVersion[]>;
  /** The version of a book that is in force. Undefined: there is no such book, or none of its versions applies yet. */
  inForce(book: string, at?: Date | null): Promise<PriceVersion | undefined>;
  /** A version, whether it is in force or not. */
  find(book: string, version: number): Promise<PriceVersion | undefined>;
  /** The time of the database, as far as this process knows. */
  now(): Date;
  /** How its reading goes: alive while it was read within the last minute. */
  state(): LoopState;
  /** Reads them now. Throws when the database is unreachable; then they stay as they were. */
  refresh(): Promise<void>;
  /** Reads them, and again and again until closed. */
  watch(): Promise<void>;
  close(): Promise<void>;
}

type ListedVersions = Awaited<ReturnType<typeof listVersions>>["versions"];

/** Reads the versions of a list. A document that was read before is not read again: it never changes. */
function createVersionReader({ db, log }: { db: DirectoryDb; log: Log }) {
  const documents = new Map<string, PriceDocument>();

  /** Null, and logged: it was published by a release that this one does not understand. */
  async function documentOf(book: string, version: number): Promise<PriceDocument | null> {
    const id = `${book}@${version}`;
    const known = documents.get(id);
    if (known !== undefined) return known;
    const { data } = priceDocument.safeParse(await readDocument(db, book, version));
    if (data === undefined) log.error({ event: "prices.unusable", version: id });
    else documents.set(id, data);
    return data ?? null;
  }

  return async (listed: ListedVersions) => {
    const books = new Map<string, PriceVersion[]>();
    for (const { book, version, validFrom } of listed) {
      const document = await documentOf(book, version);
      if (document === null) continue;
      const of = books.get(book) ?? [];
      const before = of.at(-1);
      const starts = new Date(validFrom);
      if (before !== undefined) before.endsAt = starts;
      const id = `${book}@${version}`;
      of.push({ book, version, id, validFrom: starts, endsAt: null, document });
      books.set(book, of);
    }
    return books;
  };
}

export function createPriceBooks({ db, log }: { db: DirectoryDb; log: Log }): PriceBooks {
  const stopping = new AbortController();
  const readVersions = createVersionReader({ db, log });
  let books: ReadonlyMap<string, readonly PriceVersion[]> = new Map();
  let listed = "";
  const startedAt = new Date();
  let lastSuccessAt: Date | null = null;
  let readAt = performance.now();
  let databaseAheadMs: number | null = null;
  let reading: Promise<void> | null = null;
  let watching: Promise<void> = Promise.resolve();

  async function read(): Promise<void> {
    const { now, versions } = await listVersions(db);
    lastSuccessAt = now;
    readAt = performance.now();
    databaseAheadMs = now.getTime() - readAt;
    const list = JSON.stringify(versions);
    if (list === listed) return;
    const known = await readVersions(versions);
    books = known;
    listed = list;
    log.info({ event: "prices.read", versions: [...known.values()].flat().map(({ id }) => id) });
  }

  function refresh(): Promise<void> {
    reading ??= read().finally(() => {
      reading = null;
    });
    return reading;
  }

  const now = () => new Date(performance.now() + (databaseAheadMs ?? performance.timeOrigin));
  const readOnce = () => (listed === "" ? refresh() : undefined);

  async function inForce(book: string, at: Date | null = null): Promise<PriceVersion | undefined> {
    await readOnce();
    const time = at ?? now();
    return books.get(book)?.findLast(({ validFrom }) => validFrom <= time);
  }

  const outage = createOutage(log, {
    failed: "prices.unread",
    over: "prices.recovered",
    level: "warn",
  });
  const refreshOrLog = () => refresh().then(outage.end, outage.note);

  async function watch(): Promise<void> {
    while (!stopping.signal.aborted) {
      await pause(everyMs, undefined, { signal: stopping.signal }).catch(() => {});
      if (!stopping.signal.aborted) await refreshOrLog();
    }
  }

  return {
    current: () => books,
    inForce,
    async find(book, version) {
      await readOnce();
      return books.get(book)?.find((one) => one.version === version);
    },
    now,
    state: () => ({
      name: "prices",
      startedAt,
      lastSuccessAt,
      isAlive: performance.now() - readAt <= unreadMsMax,
    }),
    refresh,
    async watch() {
      await refreshOrLog();
      watching = watch();
    },
    async close() {
      stopping.abort();
      await watching;
    },
  };
}

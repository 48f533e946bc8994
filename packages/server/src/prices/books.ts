import { setTimeout as pause } from "node:timers/promises";
import type { z } from "zod";
import type { DirectoryDb } from "../db/database.ts";
import type { LoopState } from "../flow/loop.ts";
import { createOutage, type Log } from "../log.ts";

/** A published version is known to every process within this time and that of two queries. */
const everyMs = 2_000;
/** A version of a price book is published at least this long before it begins. */
const unreadMsMax = 60_000;

/** A published version of a book. It never changes; `endsAt` is known once the next one is published. */
export interface BookVersion<Document> {
  book: string;
  version: number;
  /** The name of book and version in requests and responses, such as `A@2`. */
  id: string;
  validFrom: Date;
  /** Null: no later version is known. */
  endsAt: Date | null;
  document: Document;
}

/**
 * The books of one kind as this process last read them. It knows a version before it applies and switches by the
 * time of the database. If it cannot read, it goes on with what it knows, and says so in its `state`.
 */
export interface Books<Document> {
  /** The versions of each book in their order. A new object whenever a version was published. */
  current(): ReadonlyMap<string, readonly BookVersion<Document>[]>;
  /** The version of a book that is in force. Undefined: there is no such book, or none of its versions applies yet. */
  inForce(book: string, at?: Date | null): Promise<BookVersion<Document> | undefined>;
  /** A version, whether it is in force or not. */
  find(book: string, version: number): Promise<BookVersion<Document> | undefined>;
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

interface ListedVersion {
  book: string;
  version: number;
  validFrom: string;
}

/** What is read: books of one kind. */
export interface BookKind<Document> {
  /** The name of the loop that reads them, and the first word of what it logs. */
  name: string;
  document: z.ZodType<Document>;
  /** Reads every published version, and the time of the database. */
  listVersions(db: DirectoryDb): Promise<{ now: Date; versions: ListedVersion[] }>;
  readDocument(db: DirectoryDb, book: string, version: number): Promise<unknown>;
}

interface BooksContext {
  db: DirectoryDb;
  log: Log;
}

/** Reads the versions of a list. A document that was read before is not read again: it never changes. */
function createVersionReader<Document>({ db, log }: BooksContext, kind: BookKind<Document>) {
  const documents = new Map<string, Document>();

  /** Null, and logged: it was published by a release that this one does not understand. */
  async function documentOf(book: string, version: number): Promise<Document | null> {
    const id = `${book}@${version}`;
    const known = documents.get(id);
    if (known !== undefined) return known;
    const { data } = kind.document.safeParse(await kind.readDocument(db, book, version));
    if (data === undefined) log.error({ event: `${kind.name}.unusable`, version: id });
    else documents.set(id, data);
    return data ?? null;
  }

  return async (listed: ListedVersion[]) => {
    const books = new Map<string, BookVersion<Document>[]>();
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

export function createBooks<Document>(
  ctx: BooksContext,
  kind: BookKind<Document>,
): Books<Document> {
  const { db, log } = ctx;
  const { name } = kind;
  const stopping = new AbortController();
  const readVersions = createVersionReader(ctx, kind);
  let books: ReadonlyMap<string, readonly BookVersion<Document>[]> = new Map();
  let listed = "";
  const startedAt = new Date();
  let lastSuccessAt: Date | null = null;
  let readAt = performance.now();
  let databaseAheadMs: number | null = null;
  let reading: Promise<void> | null = null;
  let watching: Promise<void> = Promise.resolve();

  async function read(): Promise<void> {
    const { now, versions } = await kind.listVersions(db);
    const at = performance.now();
    const list = JSON.stringify(versions);
    if (list !== listed) {
      const known = await readVersions(versions);
      books = known;
      listed = list;
      log.info({ event: `${name}.read`, versions: [...known.values()].flat().map(({ id }) => id) });
    }
    // Last: whoever asks during the first reading waits for the books.
    lastSuccessAt = now;
    readAt = at;
    databaseAheadMs = now.getTime() - at;
  }

  function refresh(): Promise<void> {
    reading ??= read().finally(() => {
      reading = null;
    });
    return reading;
  }

  const now = () => new Date(performance.now() + (databaseAheadMs ?? performance.timeOrigin));
  const readOnce = () => (databaseAheadMs === null ? refresh() : undefined);

  async function inForce(book: string, at: Date | null = null) {
    await readOnce();
    const time = at ?? now();
    return books.get(book)?.findLast(({ validFrom }) => validFrom <= time);
  }

  const outage = createOutage(log, {
    failed: `${name}.unread`,
    over: `${name}.recovered`,
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
      name,
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

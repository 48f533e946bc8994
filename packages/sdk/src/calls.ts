import { newKey } from "./abort.ts";
import { type Call, type CallOptions, sendForJson, type Transport } from "./transport.ts";

export interface CreateOptions extends CallOptions {
  /** One is made for every call; give your own to repeat a call after your program was restarted. */
  idempotencyKey?: string | undefined;
}

export function get<Answer>(
  transport: Transport,
  path: string,
  query: object,
  { signal, timeoutMs }: CallOptions,
): Promise<Answer> {
  const call: Call = { method: "GET", path, query: { ...query }, signal, timeoutMs };
  return sendForJson<Answer>(transport, call);
}

/** A POST without an effect: it may be repeated. */
export function read<Answer>(
  transport: Transport,
  path: string,
  body: unknown,
  { signal, timeoutMs }: CallOptions,
): Promise<Answer> {
  const call: Call = { method: "POST", path, body, isRead: true, signal, timeoutMs };
  return sendForJson<Answer>(transport, call);
}

/** A POST that has its effect once, however often it is sent. */
export function creation(path: string, body: unknown, options: CreateOptions): Call {
  const { signal, timeoutMs, idempotencyKey = newKey() } = options;
  return { method: "POST", path, body, idempotencyKey, signal, timeoutMs };
}

export interface Page<Item> {
  items: Item[];
  nextCursor: string | null;
}

export async function* readPages<Item>(
  readPage: (cursor: string | null) => Promise<Page<Item>>,
): AsyncGenerator<Item> {
  let cursor: string | null = null;
  do {
    const page: Page<Item> = await readPage(cursor);
    yield* page.items;
    cursor = page.nextCursor;
  } while (cursor !== null);
}

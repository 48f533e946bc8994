import { newKey } from "./abort.ts";
import { known, type Names, requireKnown } from "./known-options.ts";
import { type Call, type CallOptions, sendForJson, type Transport } from "./transport.ts";

export interface CreateOptions extends CallOptions {
  /** One is made for every call; give your own to repeat a call after your program was restarted. */
  idempotencyKey?: string | undefined;
}

export const createNames: Names<CreateOptions> = { ...known.call, idempotencyKey: true };

export async function get<Answer>(
  transport: Transport,
  path: string,
  query: object,
  options: CallOptions,
): Promise<Answer> {
  const { signal, timeoutMs } = requireKnown(options, known.call);
  const call: Call = { method: "GET", path, query: { ...query }, signal, timeoutMs };
  return sendForJson<Answer>(transport, call);
}

/** A POST without an effect: it may be repeated. */
export async function read<Answer>(
  transport: Transport,
  path: string,
  body: unknown,
  options: CallOptions,
): Promise<Answer> {
  const { signal, timeoutMs } = requireKnown(options, known.call);
  const call: Call = { method: "POST", path, body, isRead: true, signal, timeoutMs };
  return sendForJson<Answer>(transport, call);
}

/** A PATCH, DELETE or POST that is sent as it is. */
export async function write<Answer>(
  transport: Transport,
  call: Pick<Call, "method" | "path" | "query" | "body">,
  options: CallOptions,
): Promise<Answer> {
  return sendForJson(transport, { ...call, ...requireKnown(options, known.call) });
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

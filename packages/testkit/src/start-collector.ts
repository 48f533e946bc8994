import { startReceiver } from "./start-receiver.ts";

export interface CollectedSpan {
  readonly service: string;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId: string | null;
  readonly name: string;
  /** The start in nanoseconds since 1970. */
  readonly startedAt: bigint;
  readonly attributes: Readonly<Record<string, string | number>>;
}

interface Collector extends AsyncDisposable {
  readonly url: string;
  /** Everything that arrived, in the order in which it began. */
  spans(): CollectedSpan[];
}

/** A receiver of traces on loopback: OTLP over HTTP, as JSON. */
export async function startCollector(): Promise<Collector> {
  const receiver = await startReceiver();
  const exported = () =>
    receiver.received
      .filter(({ path }) => path === "/v1/traces")
      .flatMap(({ body }) => readSpans(JSON.parse(body) as ExportedTraces));
  return {
    url: receiver.url,
    spans: () => exported().sort((a, b) => Number(a.startedAt - b.startedAt)),
    [Symbol.asyncDispose]: () => receiver[Symbol.asyncDispose](),
  };
}

type ExportedAttributes = readonly {
  key: string;
  value: { stringValue?: string; intValue?: number | string };
}[];

interface ExportedTraces {
  resourceSpans: readonly {
    resource: { attributes: ExportedAttributes };
    scopeSpans: readonly { spans: readonly ExportedSpan[] }[];
  }[];
}

interface ExportedSpan {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  startTimeUnixNano: string;
  attributes: ExportedAttributes;
}

function readSpans({ resourceSpans }: ExportedTraces): CollectedSpan[] {
  return resourceSpans.flatMap(({ resource, scopeSpans }) =>
    scopeSpans.flatMap(({ spans }) =>
      spans.map((span) => ({
        service: String(readAttributes(resource.attributes)["service.name"]),
        traceId: span.traceId,
        spanId: span.spanId,
        parentSpanId: span.parentSpanId ?? null,
        name: span.name,
        startedAt: BigInt(span.startTimeUnixNano),
        attributes: readAttributes(span.attributes),
      })),
    ),
  );
}

function readAttributes(attributes: ExportedAttributes): Record<string, string | number> {
  return Object.fromEntries(
    attributes.map(({ key, value }) => [key, value.stringValue ?? Number(value.intValue)]),
  );
}

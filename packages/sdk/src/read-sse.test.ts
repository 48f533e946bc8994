import fc from "fast-check";
import { expect, test } from "vitest";
import { readServerEvents } from "./read-sse.ts";

const bytes = new TextEncoder().encode(
  'retry: 1000\nid: "a"\nevent: status\ndata: {"a":\ndata: "ü"}\n\n: idle\n\r\nid: "b"\r\ndata:x\r\n\r\nid: "c"\ndata: cut off',
);

const read = async (chunks: Uint8Array<ArrayBuffer>[]) => {
  const events = [];
  const body = new Blob(chunks).stream();
  for await (const event of readServerEvents(body)) events.push(event);
  return events;
};

test("events are the same however their bytes are cut, and the one that is cut off is none", async () => {
  const property = fc.asyncProperty(
    fc.array(fc.nat(bytes.length), { maxLength: 10 }),
    async (cuts) => {
      const sorted = [0, ...cuts, bytes.length].toSorted((a, b) => a - b);
      const chunks = sorted.slice(1).map((end, at) => bytes.slice(sorted[at], end));
      const body = new ReadableStream<Uint8Array>({
        start(controller) {
          for (const chunk of chunks) controller.enqueue(chunk);
          controller.close();
        },
      });
      const events = [];
      for await (const event of readServerEvents(body)) events.push(event);
      expect(events).toEqual(await read([bytes]));
    },
  );
  await fc.assert(property);
  expect(await read([bytes])).toEqual([
    { id: '"a"', event: "status", data: '{"a":\n"ü"}' },
    { id: '"b"', event: "message", data: "x" },
  ]);
});

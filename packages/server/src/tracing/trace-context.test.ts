import { expect, test } from "vitest";
import { continueTrace, currentTraceparent, parseTraceparent } from "./trace-context.ts";

const traceId = "0af7651916cd43dd8448eb211c80319c";
const spanId = "b7ad6b7169203331";

test("a traceparent of version 00 is read; of its flags only the first counts", () => {
  for (const [flags, traceFlags] of [
    ["00", 0],
    ["01", 1],
    ["ff", 1],
    ["02", 0],
  ])
    expect(parseTraceparent(`00-${traceId}-${spanId}-${flags}`)).toEqual({
      traceId,
      spanId,
      traceFlags,
      isRemote: true,
    });
});

test("anything else is ignored", () => {
  for (const text of [
    "",
    "00",
    "garbage",
    null,
    undefined,
    "0".repeat(100_000),
    `00-${traceId}-${spanId}`,
    `00-${traceId}-${spanId}-01-more`,
    `00-${traceId.toUpperCase()}-${spanId}-01`,
    `00-${"0".repeat(32)}-${spanId}-01`,
    `00-${traceId}-${"0".repeat(16)}-01`,
    `01-${traceId}-${spanId}-01`,
    `ff-${traceId}-${spanId}-01`,
    ` 00-${traceId}-${spanId}-01`,
    `00-${traceId}-${spanId}-01\n`,
  ])
    expect(parseTraceparent(text)).toBeNull();
});

test("while traces are off nothing is passed on, also not what a row says", () => {
  const seen = continueTrace(`00-${traceId}-${spanId}-01`, currentTraceparent);
  expect(seen).toBeNull();
});

import { pino } from "pino";
import { expect, test } from "vitest";
import { readConfig } from "../settings/config.ts";
import { createScrape, startOpsServer } from "./ops-server.ts";

const log = pino({ level: "silent" });

function configWith(more: Record<string, string>) {
  return readConfig({
    DATABASE_URL: "postgres://127.0.0.1:9/none",
    PUBLIC_URL: "http://127.0.0.1:9",
    VENDOR_CALLBACK_SECRET: "x".repeat(32),
    RESTATE_INGRESS_URL: "http://127.0.0.1:9",
    STORAGE_DIR: "none",
    ...more,
  });
}

async function open(render: () => Promise<string>) {
  const ops = await startOpsServer({ config: configWith({ OPS_PORT: "0" }), log }, render);
  if (ops === null) throw new Error("no ops port");
  const read = async (path = "/metrics") => {
    const response = await fetch(`http://127.0.0.1:${ops.port}${path}`);
    return { status: response.status, text: await response.text() };
  };
  return { read, [Symbol.asyncDispose]: () => ops.close() };
}

test("without OPS_PORT nothing listens, and OPS_HOST is private unless it is set", async () => {
  const config = configWith({});
  expect(config.ops).toEqual({ host: "127.0.0.1", port: null });
  expect(await startOpsServer({ config, log }, async () => "")).toBeNull();
});

test("/metrics is OpenMetrics text, and nothing else is served", async () => {
  await using ops = await open(async () => "# EOF\n");
  expect(await ops.read()).toEqual({ status: 200, text: "# EOF\n" });
  expect((await ops.read("/")).status).toBe(404);
});

test("scrapes that come while metrics are collected share the collection", async () => {
  const gate = Promise.withResolvers<string>();
  let collections = 0;
  const scrape = createScrape(() => {
    collections += 1;
    return gate.promise;
  });
  const scrapes = [scrape(), scrape(), scrape()];
  gate.resolve("text");
  expect(await Promise.all(scrapes)).toEqual(["text", "text", "text"]);
  expect(collections).toBe(1);
});

test("a collection that fails is a 500 without its reason", async () => {
  await using ops = await open(() => Promise.reject(new Error("secret")));
  const { status, text } = await ops.read();
  expect(status).toBe(500);
  expect(text).not.toContain("secret");
});

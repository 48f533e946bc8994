import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { freePort } from "./services/ports.ts";

/** Settings of an api or a worker on this machine that has a database and nothing else: no engine, no vendors. */
export async function databaseOnlySettings(
  dir: string,
  databaseUrl: string,
  ports?: { api: number; worker: number },
) {
  const port = ports?.api ?? (await freePort());
  return {
    DATABASE_URL: databaseUrl,
    API_PORT: String(port),
    PUBLIC_URL: `http://127.0.0.1:${port}`,
    RESTATE_INGRESS_URL: `http://127.0.0.1:${await freePort()}`, // nobody listens there
    WORKER_PORT: String(ports?.worker ?? (await freePort())),
    HEALTH_PORT: "0", // several workers on one machine
    DRAIN_NOTICE_MS: "0",
    STORAGE_DIR: join(dir, "media"),
    WORK_DIR: join(dir, "work"),
    VENDORS: "[]",
    KEY_RING: `development ${randomBytes(32).toString("base64")}`,
    VENDOR_CALLBACK_SECRET: randomBytes(32).toString("hex"),
    REQUESTS_PER_MINUTE_MAX: "1000000", // load comes through few keys here
    ALLOW_LOOPBACK: "true",
  };
}

import { randomBytes } from "node:crypto";
import { readFile, rename, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import type { MoreKeys } from "./first-keys.ts";
import { freePort, freePorts } from "./services/ports.ts";
import type { StackPorts } from "./stack.ts";

interface Saved {
  readonly ports: StackPorts;
  readonly secrets: Readonly<Record<"KEY_RING" | "VENDOR_CALLBACK_SECRET", string>>;
  /** The key of the first account, once there is one. */
  readonly key?: string;
  /** Created with it; not in older files. */
  readonly moreKeys?: MoreKeys;
}

export interface DevState extends Saved {
  saveKeys(key: string, moreKeys: MoreKeys): Promise<void>;
}

/** The port of the api unless another program uses it: the one in most examples. */
const usualPort = 8080;

/**
 * Reads or creates the settings that must be the same at every start: the ports, because the engine
 * and unfinished tasks know them, the secrets, because rows are encrypted with them, and the key,
 * which the database has only as a hash.
 */
export async function openDevState(
  dir: string,
  port: string | undefined,
  firstChoice = usualPort,
): Promise<DevState> {
  const path = join(dir, "dev.json");
  const text = await readFile(path, "utf8").catch(() => undefined);
  const before = text === undefined ? await newState(firstChoice) : (JSON.parse(text) as Saved);
  const api = port === undefined ? before.ports.api : parsePort(port);
  const { sandboxLinks = await freePort() } = before.ports as Partial<StackPorts>; // not in older files
  const state = { ...before, ports: { ...before.ports, api, sandboxLinks } };
  await save(path, state);
  await requireFree(state.ports);
  return { ...state, saveKeys: (key, moreKeys) => save(path, { ...state, key, moreKeys }) };
}

async function newState(firstChoice: number): Promise<Saved> {
  const [free = 0, worker = 0, sandbox = 0, sandboxLinks = 0, ...rest] = await freePorts(8);
  const [postgres = 0, ingress = 0, admin = 0, node = 0] = rest;
  const api = (await isFree(firstChoice)) ? firstChoice : free;
  return {
    ports: { api, worker, sandbox, sandboxLinks, postgres, restate: { ingress, admin, node } },
    secrets: {
      KEY_RING: `development ${randomBytes(32).toString("base64")}`,
      VENDOR_CALLBACK_SECRET: randomBytes(32).toString("hex"),
    },
  };
}

/** Under another name first: a file that is cut off would lock its owner out of the data. */
async function save(path: string, { ports, secrets, key, moreKeys }: Saved): Promise<void> {
  const unfinished = `${path}.part`;
  const text = JSON.stringify({ ports, secrets, key, moreKeys }, null, 2);
  await writeFile(unfinished, `${text}\n`, { mode: 0o600 });
  await rename(unfinished, path);
}

function parsePort(text: string): number {
  const port = Number(text);
  if (!/^\d{1,5}$/.test(text) || port < 1 || port > 65_535)
    throw new Error(`--port ${text} is not a port: give a number from 1 to 65535`);
  return port;
}

async function requireFree({ restate, ...others }: StackPorts): Promise<void> {
  for (const [name, port] of Object.entries({ ...others, ...restate }))
    if (!(await isFree(port)))
      throw new Error(
        `port ${port} (${name}) is taken by another program: stop it, or start with another ${name === "api" ? "--port" : "--dir"}`,
      );
}

function isFree(port: number): Promise<boolean> {
  const probe = createServer();
  return new Promise((resolve) => {
    probe.once("error", () => resolve(false));
    probe.listen({ host: "127.0.0.1", port, exclusive: true }, () =>
      probe.close(() => resolve(true)),
    );
  });
}

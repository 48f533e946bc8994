import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { parse } from "yaml";

const root = fileURLToPath(new URL("../../", import.meta.url));

export interface Service {
  image: string;
  entrypoint?: string[];
  command?: string[];
  user?: string;
  read_only?: boolean;
  cap_drop?: string[];
  cap_add?: string[];
  security_opt?: string[];
  tmpfs?: string[];
  shm_size?: string;
  volumes?: string[];
  networks?: string[];
  network_mode?: string;
  ports?: string[];
  environment?: Record<string, string | null>;
  depends_on?: Record<string, { condition: string }>;
  healthcheck?: { test: string[] };
  profiles?: string[];
}

export interface Compose {
  name: string;
  services: Record<string, Service>;
  networks: Record<string, { internal?: boolean } | null>;
  volumes: Record<string, object | null>;
}

/** A file that is merged into another: what it resets is not in it. */
export async function readCompose(path: string): Promise<unknown> {
  const reset = { tag: "!reset", resolve: () => null };
  const text = await readFile(`${root}${path}`, "utf8");
  const document = parse(text, { merge: true, customTags: [reset] }) as unknown;
  return JSON.parse(JSON.stringify(document, (_, value: unknown) => value ?? undefined));
}

/** The files merged as `docker compose -f A -f B` does, with settings from the given environment. */
export async function readComposeFiles(
  paths: readonly string[],
  settings: Readonly<Record<string, string>>,
): Promise<Compose> {
  let merged: unknown = {};
  for (const path of paths) {
    const text = await readFile(`${root}${path}`, "utf8");
    const reset = { tag: "!reset", resolve: () => resetMark };
    merged = merge(merged, parse(text, { merge: true, customTags: [reset] }));
  }
  return substitute(merged, settings) as Compose;
}

const resetMark = "\0reset";

function merge(under: unknown, over: unknown): unknown {
  if (!isMap(under) || !isMap(over)) return over;
  const result: Record<string, unknown> = { ...under };
  for (const [name, value] of Object.entries(over)) {
    if (value === resetMark) delete result[name];
    else result[name] = mergeField(name, result[name], value);
  }
  return result;
}

/** Lists are joined, but for commands. */
function mergeField(name: string, under: unknown, over: unknown): unknown {
  const isCommand = ["command", "entrypoint", "test"].includes(name);
  if (Array.isArray(under) && Array.isArray(over) && !isCommand) return [...under, ...over];
  return merge(under, over);
}

function isMap(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function substitute(value: unknown, settings: Readonly<Record<string, string>>): unknown {
  if (Array.isArray(value)) return value.map((one) => substitute(one, settings));
  if (isMap(value))
    return Object.fromEntries(
      Object.entries(value).map(([name, one]) => [name, substitute(one, settings)]),
    );
  if (typeof value !== "string") return value;
  return value.replaceAll(/\$\{(\w+)(?::([-?])([^}]*))?\}/g, (_, name, sign, rest) => {
    const given = settings[name];
    if (given !== undefined) return given;
    if (sign === "-") return rest;
    throw new Error(`${name} is not set: ${rest ?? ""}`);
  });
}

/** Services in the order in which compose starts them: each after what it depends on. */
export function inOrder(services: Readonly<Record<string, Service>>): string[] {
  const order: string[] = [];
  const visit = (name: string) => {
    if (order.includes(name)) return;
    const { depends_on = {}, network_mode = "" } = services[name] ?? {};
    const [, shared] = /^service:(.+)$/.exec(network_mode) ?? [];
    for (const before of [...Object.keys(depends_on), ...(shared ? [shared] : [])]) visit(before);
    order.push(name);
  };
  for (const [name, { profiles }] of Object.entries(services)) if (!profiles) visit(name);
  return order;
}

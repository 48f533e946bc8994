import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { KubernetesObject } from "./render.ts";

const run = promisify(execFile);
const here = fileURLToPath(new URL(".", import.meta.url));
const tsc = fileURLToPath(new URL("../../node_modules/.bin/tsc", import.meta.url));

interface Model {
  validate(): void;
}

/**
 * Returns the faults that the published schemas find: wrong types, missing fields. They take fields
 * that do not exist.
 */
export async function schemaFaults(objects: readonly KubernetesObject[]): Promise<string[]> {
  const faults: string[] = [];
  for (const object of objects) {
    const module = (await import(modulePath(object))) as Record<
      string,
      new (
        data: object,
      ) => Model
    >;
    const Kind = module[object.kind];
    if (Kind === undefined) throw new Error(`no schema of ${object.apiVersion} ${object.kind}`);
    try {
      new Kind(object).validate();
    } catch (error) {
      faults.push(`${nameOf(object)}: ${error instanceof Error ? error.message : error}`);
    }
  }
  return faults;
}

/**
 * Returns the faults that the types of the same package find: fields that do not exist, as the API
 * server would warn of.
 */
export async function unknownFields(objects: readonly KubernetesObject[]): Promise<string[]> {
  const dir = await mkdtemp(join(here, "rendered-"));
  try {
    const file = join(dir, "objects.ts");
    await writeFile(file, objects.map(asLiteral).join("\n"));
    const options = ["--noEmit", "--strict", "--skipLibCheck", "--module", "nodenext"];
    await run(tsc, [...options, "--types", "", "--ignoreConfig", file], { cwd: dir });
    return [];
  } catch (error) {
    const { stdout } = error as { stdout?: string };
    if (stdout === undefined) throw error;
    return stdout.split("\n").filter((line) => line.includes("error TS"));
  } finally {
    await rm(dir, { recursive: true });
  }
}

function asLiteral(object: KubernetesObject, index: number): string {
  const { kind } = object;
  return [
    `import type { I${kind} as I${index} } from "${modulePath(object)}";`,
    `export const object${index}: I${index} = ${JSON.stringify(object)};`,
  ].join("\n");
}

function modulePath({ apiVersion }: KubernetesObject): string {
  return `kubernetes-models/${apiVersion}`;
}

function nameOf({ kind, metadata }: KubernetesObject): string {
  return `${kind} ${metadata.name}`;
}

import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import init, { WasmReader } from "@contentauth/c2pa-wasm";

interface Status {
  code: string;
}

interface Results {
  success: Status[];
  failure: Status[];
}

/** The part of a manifest store that the tests read. */
export interface Store {
  validation_state: string;
  active_manifest: string;
  validation_results: { activeManifest: Results };
  manifests: Record<
    string,
    {
      title: string;
      claim_generator_info: { name: string; version: string }[];
      assertions: { label: string; data: { actions: Record<string, unknown>[] } }[];
      ingredients: {
        title: string;
        relationship: string;
        active_manifest?: string;
        validation_results?: { activeManifest: Results };
      }[];
      signature_info: { time?: string };
    }
  >;
}

let loaded: Promise<unknown> | undefined;

/** Reads a file with the official reader as WebAssembly: another version of c2pa-rs than the one that signs. */
export async function readWithWasm(
  path: string,
  contentType: string,
  anchors = "",
): Promise<Store> {
  loaded ??= readFile(fileURLToPath(import.meta.resolve("@contentauth/c2pa-wasm/c2pa.wasm"))).then(
    (bytes) => init({ module_or_path: bytes }),
  );
  await loaded;
  const reader = await WasmReader.fromBytes(
    contentType,
    await readFile(path),
    JSON.stringify({
      verify: { remote_manifest_fetch: false },
      ...(anchors === "" ? {} : { trust: { user_anchors: anchors } }),
    }),
  );
  return JSON.parse(reader.json());
}

export function codesOf(statuses: readonly Status[]): string[] {
  return statuses.map(({ code }) => code);
}

export function activeOf({ manifests, active_manifest }: Store) {
  const active = manifests[active_manifest];
  if (active === undefined) throw new Error("there is no active manifest");
  return active;
}

/** The actions of the active manifest. */
export function actionsOf(store: Store): Record<string, unknown>[] {
  return activeOf(store)
    .assertions.filter(({ label }) => label.startsWith("c2pa.actions"))
    .flatMap(({ data }) => data.actions);
}

import { Reader } from "@contentauth/c2pa-node";
import { settingsOf } from "./settings.js";

/** @import { Manifest, ReadRequest } from "./protocol.ts" */

/** A manifest is written by strangers: only so much of it is passed on. */
const charactersMax = 300;
const itemsMax = 50;

/** @type {Record<string, Manifest["state"]>} */
const states = { Invalid: "invalid", Valid: "valid", Trusted: "trusted" };

/**
 * Returns null if the file has no manifest in it. One at a URL is not fetched.
 *
 * @param {ReadRequest} request
 * @returns {Promise<Manifest | null>}
 */
export async function readManifest({ input, trustAnchors }) {
  const reader = await Reader.fromAsset(
    { path: input.path, mimeType: input.contentType },
    settingsOf({ trustAnchors }),
  );
  if (reader === null || !reader.isEmbedded()) return null;
  const store = reader.json();
  const active = store.manifests?.[store.active_manifest ?? ""];
  if (active === undefined) return null;
  const { activeManifest } = store.validation_results ?? {};
  const actions = actionsOf(active);
  return {
    state: states[store.validation_state ?? ""] ?? "invalid",
    failures: codesOf(activeManifest?.failure ?? []),
    id: text(store.active_manifest) ?? "",
    title: text(active.title),
    generator: text(active.claim_generator_info?.[0]?.name ?? active.claim_generator),
    signer: text(active.signature_info?.issuer),
    signedAt: text(active.signature_info?.time),
    actions,
    ingredients: firsts(active.ingredients ?? []).map((ingredient) => ({
      title: text(ingredient.title),
      relationship: text(ingredient.relationship),
      manifest: text(ingredient.active_manifest),
      failures: codesOf(ingredient.validation_results?.activeManifest?.failure ?? []),
    })),
    sourceTypes: firsts([
      ...new Set(
        Object.values(store.manifests ?? {})
          .flatMap(actionsOf)
          .flatMap(({ sourceType }) => sourceType ?? []),
      ),
    ]),
  };
}

/**
 * @param {{ assertions?: { label?: string, data?: unknown }[] }} manifest
 * @returns {Manifest["actions"]}
 */
function actionsOf({ assertions = [] }) {
  const found = assertions
    .filter(({ label }) => String(label).startsWith("c2pa.actions"))
    .flatMap(({ data }) => /** @type {{ actions?: unknown } | undefined} */ (data)?.actions ?? []);
  return firsts(found).map((one) => {
    const { action, digitalSourceType } = /** @type {Record<string, unknown>} */ (one ?? {});
    return { action: text(action) ?? "", sourceType: text(digitalSourceType) };
  });
}

/**
 * @param {{ code?: unknown }[]} statuses
 * @returns {string[]}
 */
function codesOf(statuses) {
  return firsts([...new Set(statuses.map(({ code }) => text(code) ?? ""))]);
}

/**
 * @template Item
 * @param {Item[]} items
 */
function firsts(items) {
  return items.slice(0, itemsMax);
}

/**
 * @param {unknown} value
 * @returns {string | null}
 */
function text(value) {
  return typeof value === "string" ? value.slice(0, charactersMax) : null;
}

import { mkdirSync } from "node:fs";
import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import type { FetchInput } from "../../kit/inputs.ts";
import { createJobIds } from "../../kit/job-ids.ts";
import type { Journal } from "../../kit/journal.ts";
import { openKeyedLog } from "../../kit/keyed-log.ts";
import type { Schedule } from "../../kit/schedule.ts";
import type { Script } from "../../kit/script.ts";
import type { Asset, AssetGroup } from "./asset.ts";
import { AssetsError } from "./errors.ts";
import type { AssetFailure } from "./inspect-media.ts";
import { openReviews } from "./review.ts";

const groupsMax = 10_000;
const assetsMax = 100_000;

export type NewGroup = Pick<AssetGroup, "projectName" | "name" | "description">;
export type NewAsset = Pick<
  Asset,
  "groupId" | "projectName" | "name" | "type" | "sourceUrl" | "strategy"
>;

export interface AssetLibrary {
  /** Throws AssetsError when the library is full, as addAsset does. */
  addGroup(group: NewGroup): AssetGroup;
  findGroup(id: string, projectName: string): AssetGroup | undefined;
  /** Oldest first. */
  groups(): MapIterator<AssetGroup>;
  addAsset(asset: NewAsset, script: Script): Asset;
  findAsset(id: string, projectName: string): Asset | undefined;
  /** Oldest first. */
  assets(): MapIterator<Asset>;
  rename(asset: Asset, name: string): void;
  remove(asset: Asset): void;
  /** Returns the asset behind an `asset://` link, whatever its project. */
  lookUp(id: string): Asset | undefined;
  /** Returns the bytes behind an `asset://` link; undefined unless the asset is Active. */
  bytesOf(id: string): Promise<Buffer> | undefined;
  pathOf(id: string): string;
  /** Goes on with the reviews that were open before. */
  resume(): void;
  stop(): Promise<void>;
}

interface Parts {
  dir: string;
  /** The minimum time for which an asset is in review. */
  reviewMs: number;
  schedule: Schedule;
  journal: Journal;
  fetchInput: FetchInput;
}

/** Returns the contents of `dir` from earlier runs, and the file that keeps them. */
function openShelves(dir: string) {
  const groups = new Map<string, AssetGroup>();
  const assets = new Map<string, Asset>();
  const path = join(dir, "assets.jsonl");
  const log = openKeyedLog<{ group?: AssetGroup; asset?: Asset }>(path, function* () {
    for (const [id, group] of groups) yield [id, { group }];
    for (const [id, asset] of assets) yield [id, { asset }];
  });
  for (const [id, { group, asset }] of log.restored) {
    if (group) groups.set(id, group);
    if (asset) assets.set(id, asset);
  }
  return { groups, assets, log };
}

/** Groups and assets, those from before a restart included; a review that was open begins again. */
export function openAssetLibrary({
  dir,
  reviewMs,
  schedule,
  journal,
  fetchInput,
}: Parts): AssetLibrary {
  const filesDir = join(dir, "assets");
  mkdirSync(filesDir, { recursive: true });
  const { groups, assets, log } = openShelves(dir);
  const newGroupId = createJobIds("group");
  const newAssetId = createJobIds("asset");
  const reviews = openReviews(schedule, reviewMs, fetchInput);
  const pathOf = (id: string) => join(filesDir, id);

  function note(asset: Asset, from: string | null) {
    const { id: assetId, name, status: to, error } = asset;
    journal.write({ event: "asset", assetId, name, from, to, code: error?.code ?? null });
  }

  function conclude(asset: Asset, failure: AssetFailure | null) {
    if (!assets.has(asset.id)) return;
    const from = asset.status;
    asset.status = failure ? "Failed" : "Active";
    asset.error = failure;
    asset.updatedAtMs = Date.now();
    note(asset, from);
    save(asset);
  }

  function save(asset: Asset) {
    log.put(asset.id, { asset });
  }

  function startReview(asset: Asset) {
    reviews.start(asset, pathOf(asset.id), (failure) => conclude(asset, failure));
  }

  return {
    addGroup(group) {
      if (groups.size >= groupsMax) throw new AssetsError("QuotaExceeded", "Too many groups.");
      const createdAtMs = Date.now();
      const added = { ...group, id: newGroupId(createdAtMs), createdAtMs };
      groups.set(added.id, added);
      log.put(added.id, { group: added });
      return added;
    },
    findGroup: (id, projectName) => ofProject(groups.get(id), projectName),
    groups: () => groups.values(),
    addAsset(asset, script) {
      if (assets.size >= assetsMax) throw new AssetsError("QuotaExceeded", "Too many assets.");
      const added = newAsset(newAssetId, asset, script);
      assets.set(added.id, added);
      note(added, null);
      save(added);
      startReview(added);
      return added;
    },
    findAsset: (id, projectName) => ofProject(assets.get(id), projectName),
    assets: () => assets.values(),
    rename(asset, name) {
      asset.name = name;
      asset.updatedAtMs = Date.now();
      save(asset);
    },
    remove(asset) {
      assets.delete(asset.id);
      log.remove(asset.id);
      void rm(pathOf(asset.id), { force: true });
    },
    lookUp: (id) => assets.get(id),
    bytesOf: (id) => (assets.get(id)?.status === "Active" ? readFile(pathOf(id)) : undefined),
    pathOf,
    resume() {
      for (const asset of assets.values()) if (asset.status === "Processing") startReview(asset);
    },
    async stop() {
      await reviews.stop();
      log.close();
    },
  };
}

function newAsset(newId: (atMs: number) => string, asset: NewAsset, script: Script): Asset {
  const now = Date.now();
  const fresh = { status: "Processing" as const, error: null, createdAtMs: now, updatedAtMs: now };
  return { id: newId(now), ...asset, ...fresh, script };
}

function ofProject<T extends { projectName: string }>(
  found: T | undefined,
  projectName: string,
): T | undefined {
  return found?.projectName === projectName ? found : undefined;
}

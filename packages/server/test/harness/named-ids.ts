import type { AccountId, AssetId, KeyId, TaskId } from "../../src/ids.ts";

/** Ids that can be read in a test, where only their difference matters: no row has one. */
export const accountNamed = (name: string) => name as AccountId;
export const keyNamed = (name: string) => name as KeyId;
export const taskNamed = (name: string) => name as TaskId;

/** Ids from the responses of a running server. */
export const readTaskId = (value: unknown) => String(value) as TaskId;
export const readAssetId = (value: unknown) => Number(value) as AssetId;

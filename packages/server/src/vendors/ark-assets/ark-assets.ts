import { z } from "zod";
import { call } from "../call.ts";
import { detailOf } from "../detail.ts";
import { jobId as vendorId } from "../wire-values.ts";
import { type CallFault, readFault } from "./read-fault.ts";
import { signPost } from "./sign.ts";

const name = z.string().min(1).max(64); // as the vendor counts

/** Ark's asset library. It takes access keys, not the API keys of Ark's videos. */
export const arkAssetsSchema = z.strictObject({
  baseUrl: z.url({ protocol: /^https?$/ }).transform((text) => text.replace(/\/+$/, "")),
  accessKeyId: z.string().regex(/^[\x21-\x7e]{1,200}$/, { error: "must be printable" }),
  secretAccessKey: z.string().min(1),
  region: z.string().regex(/^[a-z0-9-]{1,40}$/, { error: "must be a region such as cn-beijing" }),
  /** The project of the assets, equal to that of the API key that makes videos of them. */
  projectName: name.default("default"),
  /** This deployment's group; it is created when there is none of this name. */
  groupName: name,
});
export type ArkAssetsSettings = z.output<typeof arkAssetsSchema>;

export type Outcome<Value> = { kind: "done"; value: Value } | CallFault;

/** No call retries by itself and none throws for what a vendor or a network can do. */
export interface ArkAssets {
  /** The id of this deployment's group. */
  ensureGroup(): Promise<Outcome<string>>;
  /** Registers a file for review; its id comes back. The vendor does not know doubles. */
  createAsset(asset: NewAsset): Promise<Outcome<string>>;
  getAsset(id: string): Promise<Outcome<AssetReview>>;
  /** The id of an asset with exactly this name. */
  findByName(name: string): Promise<Outcome<string | null>>;
}

interface NewAsset {
  groupId: string;
  name: string;
  /** Fetched by the vendor, some time later. */
  url: string;
  type: "Image" | "Video" | "Audio";
}

type AssetReview =
  | { kind: "waiting" }
  | { kind: "passed" }
  | { kind: "failed"; code: string; message: string };

const version = "2024-01-01";
const groupType = "AIGC"; // of nobody in particular: groups of real people come of a verification
const callMsMax = 15_000;
const listPage = { PageNumber: 1, PageSize: 100 };

const fault = z.object({ Code: z.string(), Message: z.string().catch("") });
const envelope = z.object({
  ResponseMetadata: z.object({ Error: fault.nullish() }),
  Result: z.unknown().optional(),
});
const created = z.object({ Id: vendorId });
const listed = z.union([
  z.object({ Items: z.array(z.object({ Id: vendorId, Name: z.string().nullish() })) }),
  z.object({ TotalCount: z.literal(0) }).transform(() => ({ Items: [] })),
]);
const asset = z.object({
  Id: vendorId,
  Status: z.string(),
  Error: fault.nullish().catch(null),
});

export function createArkAssets(settings: ArkAssetsSettings): ArkAssets {
  let group: Promise<Outcome<string>> | null = null;

  /** The vendor searches by parts of names. */
  async function find(action: "ListAssets" | "ListAssetGroups", wanted: string) {
    const body = { Filter: { Name: wanted, GroupType: groupType }, ...listPage };
    const outcome = await ask(settings, action, body, listed);
    if (outcome.kind !== "done") return outcome;
    const found = outcome.value.Items.find((item) => item.Name === wanted);
    return { kind: "done", value: found?.Id ?? null } as const;
  }

  async function findOrCreateGroup(): Promise<Outcome<string>> {
    const found = await find("ListAssetGroups", settings.groupName);
    if (found.kind !== "done") return found;
    if (found.value !== null) return { kind: "done", value: found.value };
    const body = { Name: settings.groupName, Description: "", GroupType: groupType };
    return idOf(await ask(settings, "CreateAssetGroup", body, created));
  }

  return {
    async ensureGroup() {
      group ??= findOrCreateGroup(); // one call for all who wait for it
      const outcome = await group;
      if (outcome.kind !== "done") group = null;
      return outcome;
    },

    async createAsset({ groupId, name, url, type }) {
      const body = { GroupId: groupId, URL: url, AssetType: type, Name: name };
      const outcome = await ask(settings, "CreateAsset", body, created);
      if (outcome.kind === "refused" && outcome.cause === "missing") group = null; // it was deleted
      return idOf(outcome);
    },

    async getAsset(id) {
      const outcome = await ask(settings, "GetAsset", { Id: id }, asset);
      if (outcome.kind !== "done") return outcome;
      if (outcome.value.Id !== id)
        return { kind: "unknown", detail: "the response is about another asset" };
      return { kind: "done", value: readReview(outcome.value) };
    },

    findByName: (wanted) => find("ListAssets", wanted),
  };
}

async function ask<Value>(
  settings: ArkAssetsSettings,
  action: string,
  fields: object,
  result: z.ZodType<Value>,
): Promise<Outcome<Value>> {
  const url = `${settings.baseUrl}/?Action=${action}&Version=${version}`;
  const body = { ...fields, ProjectName: settings.projectName };
  const answer = await call({
    method: "POST",
    url,
    headers: signPost(settings, { url, body: JSON.stringify(body), at: new Date() }),
    body, // `call` renders it as it was signed
    totalMsMax: callMsMax,
  });
  const parsed = answer.kind === "answered" ? envelope.safeParse(answer.json).data : undefined;
  const error = parsed?.ResponseMetadata.Error ?? null;
  const isGood = answer.kind === "answered" && answer.status === 200 && error === null;
  const value = isGood ? result.safeParse(parsed?.Result) : undefined;
  if (value?.success) return { kind: "done", value: value.data };
  const details = error && { code: error.Code, message: error.Message };
  const found = readFault(answer, details);
  return { ...found, detail: found.detail.replaceAll(settings.accessKeyId, "…") };
}

function idOf(outcome: Outcome<{ Id: string }>): Outcome<string> {
  return outcome.kind === "done" ? { kind: "done", value: outcome.value.Id } : outcome;
}

function readReview({ Status, Error: error }: z.output<typeof asset>): AssetReview {
  switch (Status) {
    case "Active":
      return { kind: "passed" };
    case "Failed":
      return {
        kind: "failed",
        code: detailOf(error?.Code ?? ""),
        message: detailOf(error?.Message ?? ""),
      };
    default: // Processing, and whatever else an open vocabulary brings
      return { kind: "waiting" };
  }
}

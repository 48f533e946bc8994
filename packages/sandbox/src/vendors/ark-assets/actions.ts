import { z } from "zod";
import type { VideoLinks } from "../../kit/video-links.ts";
import { type Asset, type AssetGroup, assetStatuses } from "./asset.ts";
import type { AssetLibrary } from "./asset-library.ts";
import { AssetsError, invalidParameter, notFound } from "./errors.ts";
import { assetTypes } from "./inspect-media.ts";

export interface ActionParts {
  library: AssetLibrary;
  links: VideoLinks;
}

/** The time for which links in responses work: 12 hours. */
const linkMs = 12 * 3_600_000;

const name = z.string().max(64);
const projectName = z.string().min(1).max(64).default("default");
const byId = { Id: z.string().min(1), ProjectName: projectName };
const page = {
  PageNumber: z.int().min(1).default(1),
  PageSize: z.int().min(1).max(100).default(10),
  ProjectName: projectName,
};
const groupFilter = {
  Name: z.string().optional(),
  GroupIds: z.array(z.string()).optional(),
  GroupType: z.enum(["AIGC", "LivenessFace"]).optional(),
};

/** Fields that are not documented are refused rather than ignored. */
const schemas = {
  createGroup: z.strictObject({
    Name: name.min(1),
    Description: z.string().max(300).default(""),
    // groups of the other type come of a verification in a browser
    GroupType: z.literal("AIGC").default("AIGC"),
    ProjectName: projectName,
  }),
  createAsset: z.strictObject({
    GroupId: z.string().min(1),
    URL: z.url({ protocol: /^https?$/ }).max(2_048),
    AssetType: z.enum(assetTypes),
    Name: name.default(""),
    Moderation: z.strictObject({ Strategy: z.enum(["Default", "Skip"]) }).optional(),
    ProjectName: projectName,
  }),
  byId: z.strictObject(byId),
  updateAsset: z.strictObject({ ...byId, Name: name }),
  listGroups: z.strictObject({ ...page, Filter: z.strictObject(groupFilter).prefault({}) }),
  listAssets: z.strictObject({
    ...page,
    Filter: z
      .strictObject({ ...groupFilter, Statuses: z.array(z.enum(assetStatuses)).optional() })
      .prefault({}),
  }),
};

export type CreateAssetBody = z.output<typeof schemas.createAsset>;

export function readCreateAsset(body: unknown): CreateAssetBody {
  return read(schemas.createAsset, body);
}

/** Every action but CreateAsset, by its name; each throws AssetsError. */
export const actions: Record<string, (parts: ActionParts, body: unknown) => object> = {
  CreateAssetGroup({ library }, body) {
    const { Name, Description, ProjectName } = read(schemas.createGroup, body);
    const group = { name: Name, description: Description, projectName: ProjectName };
    return { Id: library.addGroup(group).id };
  },
  GetAssetGroup({ library }, body) {
    const { Id, ProjectName } = read(schemas.byId, body);
    const group = library.findGroup(Id, ProjectName);
    if (!group) throw notFound("group", Id);
    return describeGroup(group);
  },
  ListAssetGroups({ library }, body) {
    const { Filter, ProjectName, ...page } = read(schemas.listGroups, body);
    const matching = [...library.groups()].filter(
      (group) => group.projectName === ProjectName && isMeant(Filter, group.name, group.id),
    );
    return pageOf(matching, page, describeGroup);
  },
  GetAsset({ library, links }, body) {
    return describeAsset(links, findAsset(library, read(schemas.byId, body)));
  },
  ListAssets({ library, links }, body) {
    const { Filter, ProjectName, ...page } = read(schemas.listAssets, body);
    const matching = [...library.assets()].filter(
      (asset) =>
        asset.projectName === ProjectName &&
        isMeant(Filter, asset.name, asset.groupId) &&
        (Filter.Statuses === undefined || Filter.Statuses.includes(asset.status)),
    );
    return pageOf(matching, page, (asset) => describeAsset(links, asset));
  },
  UpdateAsset({ library }, body) {
    const { Name, ...key } = read(schemas.updateAsset, body);
    const asset = findAsset(library, key);
    library.rename(asset, Name);
    return { Id: asset.id };
  },
  DeleteAsset({ library }, body) {
    library.remove(findAsset(library, read(schemas.byId, body)));
    return {};
  },
};

function findAsset(library: AssetLibrary, key: { Id: string; ProjectName: string }): Asset {
  const asset = library.findAsset(key.Id, key.ProjectName);
  if (!asset) throw notFound("asset", key.Id);
  return asset;
}

function isMeant(
  filter: z.output<typeof schemas.listGroups>["Filter"],
  itsName: string,
  groupId: string,
): boolean {
  if (filter.GroupType === "LivenessFace") return false;
  if (filter.GroupIds && !filter.GroupIds.includes(groupId)) return false;
  return filter.Name === undefined || itsName.includes(filter.Name);
}

/** Newest first. */
function pageOf<T>(
  oldestFirst: T[],
  { PageNumber, PageSize }: { PageNumber: number; PageSize: number },
  describe: (item: T) => object,
) {
  const start = (PageNumber - 1) * PageSize;
  const items = oldestFirst.toReversed().slice(start, start + PageSize);
  return { Items: items.map(describe), TotalCount: oldestFirst.length, PageNumber, PageSize };
}

function describeGroup(group: AssetGroup) {
  return {
    Id: group.id,
    Name: group.name,
    Description: group.description,
    GroupType: "AIGC",
    ProjectName: group.projectName,
    CreateTime: time(group.createdAtMs),
    UpdateTime: time(group.createdAtMs),
  };
}

function describeAsset(links: VideoLinks, asset: Asset) {
  return {
    Id: asset.id,
    Name: asset.name,
    URL: asset.status === "Active" ? links.sign(asset.id, Date.now() + linkMs) : "",
    AssetType: asset.type,
    GroupId: asset.groupId,
    Status: asset.status,
    ...(asset.error && { Error: { Code: asset.error.code, Message: asset.error.message } }),
    Moderation: { Strategy: asset.strategy },
    ProjectName: asset.projectName,
    CreateTime: time(asset.createdAtMs),
    UpdateTime: time(asset.updatedAtMs),
  };
}

/** `2026-01-01T00:00:00Z`. */
function time(atMs: number): string {
  return new Date(atMs).toISOString().replace(/\.\d+/, "");
}

function read<T extends z.ZodType>(schema: T, body: unknown): z.output<T> {
  const parsed = schema.safeParse(body);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  const path = issue?.path.map(String).join(".") || "body";
  if (issue?.code === "invalid_type" && issue.input === undefined) {
    throw new AssetsError("MissingParameter", `The parameter ${path} is missing.`);
  }
  throw invalidParameter(`The parameter ${path} is not valid: ${issue?.message ?? "unusable"}.`);
}

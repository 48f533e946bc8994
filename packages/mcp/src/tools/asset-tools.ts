import { type Asset, TimeoutError } from "@zoetrope/sdk";
import { z } from "zod";
import { answer, answerErrors, refuse } from "../answer.ts";
import type { World } from "../world.ts";
import { readOnly, spends } from "./shapes.ts";

/** How long an upload waits for its review. */
const reviewMsMax = 25_000;
const assetsPerPage = 20;
const type = z.enum(["IMAGE", "VIDEO", "AUDIO"]);

export function addAssetTools(world: World): void {
  addUpload(world);
  world.server.registerTool(
    "list_assets",
    {
      description: "Uploaded files, newest first, or one of them.",
      inputSchema: z.object({
        assetId: z.int().optional(),
        type: type.optional(),
        cursor: z.int().optional().describe("The nextCursor of the page before."),
      }),
      annotations: readOnly,
    },
    ({ assetId, type: kind, cursor }) =>
      answerErrors(async () => {
        const { assets } = world.client;
        if (assetId !== undefined) return answer(describe(await assets.get(assetId)));
        const { items, nextCursor } = await assets.list({
          limit: assetsPerPage,
          ...(kind === undefined ? {} : { type: kind }),
          ...(cursor === undefined ? {} : { cursor }),
        });
        return answer({ assets: items.map(describe), nextCursor });
      }),
  );
}

function addUpload({ server, client, openFile }: World): void {
  const files = openFile === undefined ? {} : { path: z.string().optional() };
  const shape = { url: z.string().optional(), ...files, type, name: z.string().optional() };
  const source = openFile === undefined ? "url" : "url, or path below the working directory";
  server.registerTool(
    "upload_asset",
    {
      description: `Stores a reference file (${source}) and has it reviewed. Use the answered asset:// in inputs.`,
      inputSchema: z.object(shape),
      annotations: spends,
    },
    (args, ctx) =>
      answerErrors(async () => {
        const { url, name, type: kind } = args;
        const path = "path" in args && typeof args.path === "string" ? args.path : undefined;
        const { signal } = ctx.mcpReq;
        const named = { ...(name === undefined ? {} : { name }), signal };
        let asset: Asset;
        if (openFile !== undefined && path !== undefined)
          asset = await client.assets.upload(await openFile(path), { ...named, type: kind });
        else if (url !== undefined) asset = await client.assets.fetchUrl(url, kind, named);
        else return refuse("invalid_parameters", `Give ${source}.`);
        const reviewed = await client.assets
          .wait(asset.assetId, { signal, timeoutMs: reviewMsMax })
          .catch((error: unknown) => {
            if (error instanceof TimeoutError) return asset;
            throw error;
          });
        return { ...answer(describe(reviewed)), isError: reviewed.status === "FAILED" };
      }),
  );
}

function describe({ assetId, upstreamAssetId, status, failReason, name, ...rest }: Asset) {
  const { type: kind, storageUrl, width, height, duration } = rest;
  return {
    ...{ assetId, input: `asset://${upstreamAssetId}`, type: kind, status, storageUrl },
    ...(name === null ? {} : { name }),
    ...(width === null ? {} : { width, height }),
    ...(duration === null ? {} : { durationSeconds: duration }),
    ...(failReason === null ? {} : { failReason }),
    ...(status === "PROCESSING"
      ? { next: `In review. Call list_assets with assetId ${assetId}.` }
      : {}),
  };
}

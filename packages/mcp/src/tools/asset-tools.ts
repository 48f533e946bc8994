import { type Asset, TimeoutError } from "@zoetrope/sdk";
import { z } from "zod";
import { answer, answerErrors, refuse } from "../answer.ts";
import type { McpContext } from "../mcp-context.ts";
import { readOnly, spends } from "./shapes.ts";

/** The time for which an upload waits for its copy. */
const storeMsMax = 25_000;
const assetsPerPage = 20;
const type = z.enum(["IMAGE", "VIDEO", "AUDIO"]);

export function addAssetTools(context: McpContext): void {
  addUpload(context);
  context.server.registerTool(
    "list_assets",
    {
      description: "Uploaded files, newest first, or one of them.",
      inputSchema: z.strictObject({
        assetId: z.int().optional(),
        type: type.optional(),
        cursor: z.int().optional().describe("The nextCursor of the page before."),
      }),
      annotations: readOnly,
    },
    ({ assetId, type: kind, cursor }) =>
      answerErrors(async () => {
        const { assets } = context.client;
        if (assetId !== undefined) return answer(describe(await assets.get(assetId)));
        const { items, nextCursor } = await assets.list({
          limit: assetsPerPage,
          type: kind,
          cursor,
        });
        return answer({ assets: items.map(describe), nextCursor });
      }),
  );
}

function addUpload({ server, client, openFile }: McpContext): void {
  const files = openFile === undefined ? {} : { path: z.string().optional() };
  const shape = { url: z.string().optional(), ...files, type, name: z.string().optional() };
  const source = openFile === undefined ? "url" : "url, or path below the working directory";
  server.registerTool(
    "upload_asset",
    {
      description: `Stores a reference file (${source}) and has it reviewed. Use the answered asset:// in inputs.`,
      inputSchema: z.strictObject(shape),
      annotations: spends,
    },
    (args, ctx) =>
      answerErrors(async () => {
        const { url, name, type: kind } = args;
        const path = "path" in args && typeof args.path === "string" ? args.path : undefined;
        const { signal } = ctx.mcpReq;
        const named = { name, signal };
        let asset: Asset;
        if (openFile !== undefined && path !== undefined)
          asset = await client.assets.upload(await openFile(path), { ...named, type: kind });
        else if (url !== undefined) asset = await client.assets.fetchUrl(url, kind, named);
        else return refuse("invalid_parameters", `Give ${source}.`);
        const stored = await client.assets
          .wait(asset.assetId, { until: "stored", signal, timeoutMs: storeMsMax })
          .catch((error: unknown) => {
            if (error instanceof TimeoutError) return asset;
            throw error;
          });
        return { ...answer(describe(stored)), isError: stored.status === "FAILED" };
      }),
  );
}

function describe({ assetId, upstreamAssetId, status, failReason, name, ...rest }: Asset) {
  const { type: kind, storageUrl, width, height, duration, usableBy, usableAfterReview } = rest;
  const isUsable = usableAfterReview.length === 0;
  return {
    assetId,
    input: `asset://${upstreamAssetId}`,
    type: kind,
    status,
    storageUrl,
    usableBy,
    name: name ?? undefined,
    width: width ?? undefined,
    height: height ?? undefined,
    durationSeconds: duration ?? undefined,
    failReason: failReason ?? undefined,
    usableAfterReview: isUsable ? undefined : usableAfterReview,
    next: isUsable
      ? undefined
      : `Models of usableBy take it now. For the others it is in review: call list_assets with assetId ${assetId}.`,
  };
}

import { makeImage } from "@zoetrope/testkit/make-media.ts";
import { expect, test } from "vitest";
import { assetSandbox, listed, type Slip } from "./ark-assets-support.ts";
import { fileServer } from "./media-support.ts";

const url = "https://example.com/a.png";

function refused(status: number, code: string) {
  return { status, metadata: { Error: { Code: code, Message: expect.stringMatching(/./) } } };
}

test("a signed call is answered in the envelope, with the region of its signature", async () => {
  const sandbox = await assetSandbox();
  const body = { Id: sandbox.groupId, ProjectName: "default" };
  const answer = await sandbox.action("GetAssetGroup", body, { region: "ap-southeast-1" });
  expect(answer).toEqual({
    status: 200,
    metadata: {
      RequestId: expect.any(String),
      Action: "GetAssetGroup",
      Version: "2024-01-01",
      Service: "ark",
      Region: "ap-southeast-1",
    },
    result: {
      Id: expect.stringMatching(/^group-\d{14}-[a-z0-9]{5}$/),
      Name: "tenant-1",
      Description: "",
      GroupType: "AIGC",
      ProjectName: "default",
      CreateTime: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
      UpdateTime: expect.any(String),
    },
  });
});

test("the path may be signed as it is or, as at the vendor's, as the root", async () => {
  const sandbox = await assetSandbox();
  for (const path of ["/", "/ark-assets/"]) {
    expect((await sandbox.action("ListAssets", {}, { path })).status, path).toBe(200);
  }
  const answer = await sandbox.action("ListAssets", {}, { path: "/elsewhere" });
  expect(answer).toMatchObject(refused(401, "SignatureDoesNotMatch"));
});

const minute = 60_000;
test.each<[string, Slip, string]>([
  ["an unknown access key", { accessKey: "AK-other" }, "InvalidAccessKey"],
  ["the wrong secret", { secretKey: "wrong" }, "SignatureDoesNotMatch"],
  ["another body than the signed one", { sentBody: "{ }" }, "SignatureDoesNotMatch"],
  ["a clock 16 min behind", { date: new Date(Date.now() - 16 * minute) }, "InvalidTimestamp"],
  ["a clock 16 min ahead", { date: new Date(Date.now() + 16 * minute) }, "InvalidTimestamp"],
  ["another service", { service: "iam" }, "InvalidCredential"],
  ["an unknown region", { region: "mars" }, "InvalidCredential"],
  ["the host unsigned", { signedHeaders: ["content-type", "x-date"] }, "InvalidAuthorization"],
  ["no signature", { authorization: "" }, "InvalidAuthorization"],
  ["the key of the videos", { authorization: "Bearer a-key-for-tests" }, "InvalidAuthorization"],
])("a call with %s answers 401 and does nothing", async (_, slip, code) => {
  const sandbox = await assetSandbox();
  const answer = await sandbox.action("CreateAssetGroup", { Name: "x" }, slip);
  expect(answer).toMatchObject(refused(401, code));
  expect((await sandbox.action("ListAssetGroups", {})).result).toMatchObject({ TotalCount: 1 });
});

test("an action or version that does not exist, or a body that is not JSON, is refused", async () => {
  const sandbox = await assetSandbox();
  const unknown = refused(404, "InvalidActionOrVersion");
  expect(await sandbox.action("Constructor", {})).toMatchObject(unknown);
  expect(await sandbox.action("constructor", {})).toMatchObject(unknown);
  expect(await sandbox.action("ListAssets", {}, {}, "2023-01-01")).toMatchObject(unknown);
  expect(await sandbox.action("ListAssets", "{")).toMatchObject(refused(400, "InvalidParameter"));
});

test.each<[string, string, object, string]>([
  ["no name", "CreateAssetGroup", { Name: undefined }, "MissingParameter"],
  ["a name of 65 characters", "CreateAssetGroup", { Name: "x".repeat(65) }, "InvalidParameter"],
  [
    "a type that needs a person",
    "CreateAssetGroup",
    { GroupType: "LivenessFace" },
    "InvalidParameter",
  ],
  [
    "301 characters about it",
    "CreateAssetGroup",
    { Description: "x".repeat(301) },
    "InvalidParameter",
  ],
  ["no group", "CreateAsset", { GroupId: undefined }, "MissingParameter"],
  ["no URL", "CreateAsset", { URL: undefined }, "MissingParameter"],
  ["a data URI", "CreateAsset", { URL: "data:image/png;base64,AA==" }, "InvalidParameter"],
  ["a type in capitals", "CreateAsset", { AssetType: "IMAGE" }, "InvalidParameter"],
  ["an asset name of 65 characters", "CreateAsset", { Name: "x".repeat(65) }, "InvalidParameter"],
  ["an unknown field", "CreateAsset", { Base64: "AA==" }, "InvalidParameter"],
  ["a misspelt directive", "CreateAsset", { Name: "[sandbox:hnag]" }, "InvalidParameter"],
])("a call with %s answers 400", async (_, action, changes, code) => {
  const sandbox = await assetSandbox();
  const whole =
    action === "CreateAsset" ? sandbox.asset({ URL: url }) : { Name: "a", Description: "" };
  const answer = await sandbox.action(action, { ...whole, ...changes });
  expect(answer).toMatchObject(refused(400, code));
});

test("a group or asset that does not exist, or is of another project, answers 404", async () => {
  const sandbox = await assetSandbox();
  const id = await sandbox.register({ URL: url, Name: "[sandbox:hang]" });
  const gone = refused(404, "NotFound");
  const elsewhere = { ProjectName: "another" };
  expect(await sandbox.action("GetAsset", { Id: id, ...elsewhere })).toMatchObject(gone);
  expect(await sandbox.action("GetAsset", { Id: "asset-1" })).toMatchObject(gone);
  expect(await sandbox.action("GetAssetGroup", { Id: "group-1" })).toMatchObject(gone);
  const create = (changes: object) =>
    sandbox.action("CreateAsset", { ...sandbox.asset({ URL: url }), ...changes });
  expect(await create({ GroupId: "group-1" })).toMatchObject(gone);
  expect(await create(elsewhere)).toMatchObject(gone);
});

test("an asset is in review, then Active under a link that gives its bytes", async () => {
  const sandbox = await assetSandbox({ assetMs: 500 });
  const image = await makeImage("color=red:s=400x300");
  const files = await fileServer({ "/a.png": image });
  const started = performance.now();
  const id = await sandbox.register({ URL: `${files.url}/a.png`, Name: "gw-1" });
  expect(id).toMatch(/^asset-\d{14}-[a-z0-9]{5}$/);
  expect(await sandbox.getAsset(id)).toMatchObject({ Status: "Processing", URL: "" });
  const asset = await sandbox.becomes(id, "Active");
  expect(performance.now() - started).toBeGreaterThanOrEqual(495);
  expect(asset).toEqual({
    Id: id,
    Name: "gw-1",
    URL: expect.stringMatching(/\/ark-assets\/files\/asset-\S+\?token=/),
    AssetType: "Image",
    GroupId: sandbox.groupId,
    Status: "Active",
    Moderation: { Strategy: "Default" },
    ProjectName: "default",
    CreateTime: expect.any(String),
    UpdateTime: expect.any(String),
  });
  const response = await fetch(asset.URL);
  expect(image.equals(await response.bytes())).toBe(true);
  const forged = asset.URL.replace(/.$/, (last) => (last === "A" ? "B" : "A"));
  expect((await fetch(forged)).status).toBe(403);
});

test("an asset is renamed, deleted, and gone after that", async () => {
  const sandbox = await assetSandbox();
  const id = await sandbox.register({ URL: url, Name: "[sandbox:hang]" });
  const renamed = await sandbox.action("UpdateAsset", { Id: id, Name: "new" });
  expect(renamed).toMatchObject({ status: 200, result: { Id: id } });
  expect(await sandbox.getAsset(id)).toMatchObject({ Name: "new" });
  expect(await sandbox.action("DeleteAsset", { Id: id })).toMatchObject({
    status: 200,
    result: {},
  });
  for (const action of ["GetAsset", "DeleteAsset"]) {
    expect(await sandbox.action(action, { Id: id })).toMatchObject(refused(404, "NotFound"));
  }
});

test("the list shows the newest first, in pages, and filters by name, group and status", async () => {
  const sandbox = await assetSandbox();
  const other = await sandbox.idOf("CreateAssetGroup", { Name: "tenant-2" });
  const hung = await sandbox.register({ URL: url, Name: "gw-000123 [sandbox:hang]" });
  const failed = await sandbox.register({ URL: url, Name: "gw-000124 [sandbox:fail]" });
  const elsewhere = await sandbox.register({ URL: url, Name: "[sandbox:hang]", GroupId: other });
  await sandbox.becomes(failed, "Failed");
  expect(await listed(sandbox, {})).toEqual({ total: 3, ids: [elsewhere, failed, hung] });
  const page = { PageNumber: 2, PageSize: 2 };
  expect(await listed(sandbox, page)).toEqual({ total: 3, ids: [hung] });
  const by = async (Filter: object) => (await listed(sandbox, { Filter })).ids;
  expect(await by({ Name: "gw-000123" })).toEqual([hung]);
  expect(await by({ GroupIds: [other] })).toEqual([elsewhere]);
  expect(await by({ Statuses: ["Failed"] })).toEqual([failed]);
  expect(await by({ GroupType: "LivenessFace" })).toEqual([]);
  expect((await listed(sandbox, { ProjectName: "another" })).ids).toEqual([]);
  const groups = await listed(sandbox, { Filter: { Name: "tenant-2" } }, "ListAssetGroups");
  expect(groups).toEqual({ total: 1, ids: [other] });
  expect(await sandbox.action("ListAssets", { PageSize: 101 })).toMatchObject(
    refused(400, "InvalidParameter"),
  );
});

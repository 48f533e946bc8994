import { randomUUID } from "node:crypto";
import { type Receiver, type Reply, startReceiver } from "@zoetrope/testkit/start-receiver.ts";
import { quickJobs, type Sandbox, startSandbox } from "@zoetrope/testkit/start-sandbox.ts";
import { afterAll, assert, beforeAll, expect, test } from "vitest";
import {
  type ArkAssets,
  type ArkAssetsSettings,
  createArkAssets,
} from "../../src/vendors/ark-assets/ark-assets.ts";
import { hostileBodies, spoil } from "./hostile-answers.ts";

const cleanUp = new AsyncDisposableStack();
let sandbox: Sandbox;
let stub: Receiver;
let library: ArkAssets;
let groupId: string;
beforeAll(async () => {
  sandbox = cleanUp.use(await startSandbox(quickJobs));
  stub = cleanUp.use(await startReceiver());
  library = open({});
  groupId = await doneBy(library.ensureGroup());
});
afterAll(() => cleanUp.disposeAsync());

function open(change: Partial<ArkAssetsSettings>): ArkAssets {
  return createArkAssets({
    baseUrl: `${sandbox.url}/ark-assets`,
    accessKeyId: "sandbox-ark-access-key",
    secretAccessKey: "sandbox-ark-secret-key",
    region: "cn-beijing",
    projectName: "default",
    groupName: "suite",
    ...change,
  });
}

/** A library whose every call gets this response. */
function answering(answer: Reply): ArkAssets {
  stub.answer = () => answer;
  return open({ baseUrl: stub.url });
}

async function doneBy<Value>(
  call: Promise<{ kind: string; value?: Value; detail?: string }>,
): Promise<Value> {
  const outcome = await call;
  assert(outcome.kind === "done" && outcome.value !== undefined, JSON.stringify(outcome));
  return outcome.value;
}

const create = (name: string, from = library) =>
  from.createAsset({ groupId, name, url: "http://127.0.0.1:9/image.png", type: "Image" });

const fails = (code: string, message = "No.") => ({
  ResponseMetadata: { RequestId: "1", Error: { Code: code, Message: message } },
});
const succeeds = (Result: object) => ({ ResponseMetadata: { RequestId: "1" }, Result });

test("the group is created once and found again by its exact name", async () => {
  const settings = { groupName: `group ${randomUUID()}` };
  const first = open(settings);
  const ids = await Promise.all([1, 2, 3].map(() => doneBy(first.ensureGroup())));
  expect(new Set(ids).size).toBe(1);
  await doneBy(open({ groupName: `${settings.groupName} and more` }).ensureGroup());
  expect(await doneBy(open(settings).ensureGroup())).toBe(ids[0]);
  const elsewhere = open({ ...settings, projectName: "another" });
  expect(await doneBy(elsewhere.ensureGroup())).not.toBe(ids[0]);
});

test("an asset is found by its exact name", async () => {
  const name = `fox ${randomUUID()}`;
  expect(await library.findByName(name)).toEqual({ kind: "done", value: null });
  await doneBy(create(`${name} and more`));
  expect(await library.findByName(name)).toEqual({ kind: "done", value: null });
  const id = await doneBy(create(name));
  expect(await library.findByName(name)).toEqual({ kind: "done", value: id });
});

test("a review ends with what the vendor says", async () => {
  const hung = await doneBy(create("[sandbox:hang]"));
  const failed = await doneBy(create("[sandbox:fail=real_person_blocked]"));
  const expected = {
    kind: "failed",
    code: "SensitiveContentDetected.PrivacyInformation",
    message: "The image may show a real person.",
  };
  await expect.poll(() => library.getAsset(failed)).toEqual({ kind: "done", value: expected });
  expect(await library.getAsset(hung)).toEqual({ kind: "done", value: { kind: "waiting" } });
  const result = { Id: "asset-1", Name: "x", Status: "Active" };
  expect(
    await answering({ status: 200, body: succeeds(result) }).getAsset("asset-1"),
  ).toMatchObject({
    value: { kind: "passed" },
  });
});

const account = { kind: "refused", cause: "account" };
test.each([
  ["refuse=InvalidParameter", { kind: "refused", cause: "request" }],
  ["refuse=InvalidParameter.URL", { kind: "refused", cause: "request" }],
  ["refuse=MissingParameter", { kind: "refused", cause: "request" }],
  ["refuse=SomethingNew", { kind: "refused", cause: "request" }],
  ["refuse=NotFound", { kind: "refused", cause: "missing" }],
  ["refuse=NotFound.Group", { kind: "refused", cause: "missing" }],
  ["refuse=SubscriptionRequired", account],
  ["refuse=AccessDenied", account],
  ["refuse=QuotaExceeded", account],
  ["refuse=SignatureDoesNotMatch", account],
  ["refuse=InvalidAccessKey", account],
  ["refuse=InvalidTimestamp", account],
  ["refuse=InvalidAuthorization", account],
  ["refuse=InvalidCredential", account],
  ["refuse=InvalidSecretToken", account],
  ["refuse=InternalError", { kind: "unknown" }],
  ["refuse=InternalServiceTimeout", { kind: "unknown" }],
  ["refuse=ServiceUnavailableTemp", { kind: "unknown" }],
  ["throttle", { kind: "unavailable" }],
  ["lost", { kind: "unknown" }],
  ["500", { kind: "unknown" }],
  ["reset", { kind: "unknown" }],
  ["garbage", { kind: "unknown" }],
])("[sandbox:%s] is %j", async (directive, expected) => {
  expect(await create(`[sandbox:${directive}]`)).toMatchObject(expected);
});

test.each([
  ["InvalidParameter", { kind: "refused", cause: "request" }],
  ["AccessDenied", account],
  ["NotFound", { kind: "refused", cause: "missing" }],
  ["FlowLimitExceeded", { kind: "unavailable" }],
  ["InternalError", { kind: "unknown" }],
  ["SomethingNew", { kind: "unknown" }], // a status of 200 proves nothing about it
])("%s with HTTP 200 is a failure, also beside a result", async (code, expected) => {
  const body = { ...fails(code), Result: { Id: "asset-1", Status: "Active" } };
  const one = answering({ status: 200, body });
  expect(await create("a", one)).toMatchObject(expected);
  expect(await one.getAsset("asset-1")).toMatchObject(expected);
  expect(await one.findByName("a")).toMatchObject(expected);
  expect(await one.ensureGroup()).toMatchObject(expected);
});

test.each([
  [503, "FlowLimitExceeded", "unknown"],
  [500, "AccessDenied", "unknown"],
  [408, "InvalidParameter", "unknown"],
  [429, "SomethingNew", "unavailable"],
])("%i %s is %s", async (status, code, kind) => {
  expect((await create("a", answering({ status, body: fails(code) }))).kind).toBe(kind);
});

test("no connection is unavailable", async () => {
  const nowhere = open({ baseUrl: "http://127.0.0.1:9" });
  expect(await create("a", nowhere)).toEqual({ kind: "unavailable", detail: "ECONNREFUSED" });
});

test("a group that was deleted is searched for again", async () => {
  const one = answering({ status: 200, body: succeeds({ Items: [{ Id: "g-1", Name: "suite" }] }) });
  expect(await doneBy(one.ensureGroup())).toBe("g-1");
  stub.answer = () => ({ status: 404, body: fails("NotFound") });
  await create("a", one);
  const items = { Items: null, TotalCount: 0 };
  stub.answer = ({ path }) => ({
    status: 200,
    body: succeeds(path.includes("ListAssetGroups") ? items : { Id: "g-2" }),
  });
  expect(await doneBy(one.ensureGroup())).toBe("g-2");
});

test.each([
  ["access key", { accessKeyId: "wrong" }, "InvalidAccessKey"],
  ["secret", { secretAccessKey: "wrong" }, "SignatureDoesNotMatch"],
  ["region", { region: "nowhere" }, "InvalidCredential"],
])("a wrong %s is refused as our own fault", async (_what, change, code) => {
  const outcome = await open(change).findByName("a");
  expect(outcome).toEqual({ ...account, detail: expect.stringMatching(`^401 ${code}`) });
});

test("what a fault says has no key, no signature and no link's query in it", async () => {
  stub.answer = ({ headers, body }) => ({
    status: 403,
    body: fails(
      "AccessDenied",
      `${headers["authorization"]?.slice(0, 60)} ${body} http://a/b?sig=1`,
    ),
  });
  const one = open({ baseUrl: stub.url, secretAccessKey: "hunter2-hunter2" });
  const denied = await create("a", one);
  expect(denied).toMatchObject({ ...account, detail: expect.stringContaining("http://a/b?…") });
  expect(JSON.stringify(denied)).not.toMatch(/sandbox-ark-access-key|hunter2|sig=1/);
  stub.answer = ({ headers }) => ({
    status: 401,
    body: fails("SignatureDoesNotMatch", `signed: ${headers["authorization"]}`),
  });
  expect(JSON.stringify(await create("a", one))).not.toMatch(/Signature=/);
});

test("nothing that is answered is taken for a success by mistake, and nothing throws", async () => {
  for (const [, body] of hostileBodies)
    for (const status of [200, 400, 500]) {
      const one = answering({ status, body });
      expect((await create("a", one)).kind).toBe("unknown");
      expect((await one.getAsset("asset-1")).kind).toBe("unknown");
      expect((await one.findByName("a")).kind).toBe("unknown");
    }
  const failed = { Id: "asset-1", Status: "Failed", Error: { Code: "X", Message: "No." } };
  for (const body of spoil({ ...fails("AccessDenied"), Result: failed })) {
    const one = answering({ status: 200, body });
    const seen = await one.getAsset("asset-1");
    if (seen.kind === "done") expect(seen.value.kind).not.toBe("passed");
    await one.findByName("a");
    await create("a", one);
  }
});

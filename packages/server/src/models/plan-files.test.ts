import { describe, expect, test } from "vitest";
import { expectRefusal } from "../../test/refusal.ts";
import { models } from "./catalogue.ts";
import { planRequest, requireModel } from "./plan-request.ts";

const planNamed = (model: string, inputs: object) =>
  planRequest(requireModel(models, model), inputs);

const names = ["sd2", "sd2-fast", "happyhorse", "image-pro-2", "image-plus-2"];
const httpsOnly = ["happyhorse", "image-pro-2", "image-plus-2"];

describe("files", () => {
  const withFile = (model: string, url: string) =>
    planNamed(model, { prompt: "a fox", urls: [url] });

  test.each(names)("%s takes an https URL, in its normal form", (model) => {
    expect(withFile(model, "HTTPS://Example.com/a b.png")).toMatchObject({
      images: [{ url: "https://example.com/a%20b.png" }],
    });
  });

  test.each(["sd2", "sd2-fast"])("%s takes an http URL", (model) => {
    expect(withFile(model, "http://example.com/a.png")).toMatchObject({
      images: [{ url: "http://example.com/a.png" }],
    });
  });

  test.each(httpsOnly)("%s refuses an http URL", (model) => {
    expectRefusal(() => withFile(model, "http://example.com/a.png"), "inputs.urls[0]", "https URL");
  });

  test.each(names)("%s takes an asset by its upstream id", (model) => {
    for (const asset of ["asset-20260101-a", "asset-20260101120000-x7Kq2"])
      expect(withFile(model, `asset://${asset}`)).toMatchObject({ images: [{ asset }] });
  });

  test.each(names)("%s refuses what is not quite an asset", (model) => {
    for (const url of [
      "asset://",
      "asset://7",
      "asset://asset-20260101",
      "asset://asset-20260101-",
      "asset://asset--a",
      "asset://asset-20260101-a/b",
      "asset://asset-20260101-a?b",
      "asset://asset-20260101-a b",
      "asset://asset-20260101-a\n",
      " asset://asset-20260101-a",
      "asset://asset-20260101-é",
      "asset:asset-20260101-a",
      "ASSET://asset-20260101-a",
      "asset-20260101-a",
    ])
      expectRefusal(() => withFile(model, url), "inputs.urls[0]", "asset://<upstreamAssetId>");
  });

  test.each(names)("%s refuses what is no web address", (model) => {
    for (const url of [
      "",
      " ",
      "a.png",
      "example.com/a.png",
      "//example.com/a.png",
      "https://",
      "https://exa mple.com/",
      "ftp://example.com/a.png",
      "file:///etc/passwd",
      "data:image/png;base64,AA==",
      "javascript:alert(1)",
      "blob:https://example.com/1",
    ])
      expectRefusal(() => withFile(model, url), "inputs.urls[0]", "asset://<upstreamAssetId>");
  });

  test.each(names)("%s takes a URL of 4096 characters and refuses one more", (model) => {
    const url = "https://example.com/".padEnd(4_096, "a");
    expect(withFile(model, url)).toMatchObject({ images: [{ url }] });
    expectRefusal(() => withFile(model, `${url}a`), "inputs.urls[0]", "4096");
  });
});

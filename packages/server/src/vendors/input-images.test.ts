import { expect, test } from "vitest";
import { imageJob } from "../../test/vendors/images.ts";
import { imagePlus2 } from "../models/image-plus-2.ts";
import { planRequest } from "../models/plan-request.ts";
import type { ImageRequest } from "../models/request.ts";
import { prepareImages } from "./input-images.ts";
import type { VendorJob } from "./vendor.ts";

const request = planRequest(imagePlus2, {
  prompt: "make it night",
  urls: ["https://example.com/a"],
}) as ImageRequest;
const limits = { sizeBytesMax: 1_000, submitMsMax: 60_000 };
const prepare = (imageOf: VendorJob["imageOf"]) =>
  prepareImages({ ...imageJob(request), imageOf }, limits);

test("a file that cannot be used is refused, and named", async () => {
  expect(await prepare(async () => ({ kind: "fault", fault: "is gif" }))).toEqual({
    kind: "refused",
    code: "input_unusable",
    detail: "inputs.urls[0]: is gif",
  });
});

test("trouble of our own refuses nothing and says nothing about the vendor", async () => {
  const full = () => Promise.reject(new Error("no space left on device"));
  expect(await prepare(full)).toEqual({
    kind: "unavailable",
    detail: "no space left on device",
    isOurs: true,
  });
});

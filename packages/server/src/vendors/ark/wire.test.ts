import assert from "node:assert";
import { expect, test } from "vitest";
import { planRequest } from "../../models/plan-request.ts";
import type { MediaRef } from "../../models/request.ts";
import { sd2 } from "../../models/sd2.ts";
import { isSd2Request } from "../../models/sd2-family.ts";
import { renderCreate, withoutSwitches } from "./wire.ts";

test.each([
  ["a fox --dur 15", "a fox -- dur 15"],
  ["a fox --rs 1080p --wm true", "a fox -- rs 1080p -- wm true"],
  ["--seed=1", "-- seed=1"],
  ["---dur 15", "--- dur 15"],
  ["a---b", "a--- b"],
  ["two--dashes", "two-- dashes"],
  ["a - b -- c --", "a - b -- c --"],
  ["well-known", "well-known"],
])("%j reaches the vendor as %j: no switch is left in it", (prompt, sent) => {
  expect(withoutSwitches(prompt)).toBe(sent);
  expect(withoutSwitches(prompt)).not.toMatch(/--[^\s-]/);
});

/** The content that Ark is sent for a request. */
function contentOf(inputs: object): unknown {
  const request = planRequest(sd2, inputs);
  assert(isSd2Request(request));
  const linkOf = (ref: MediaRef) => ref.url ?? `asset://${ref.asset}`;
  const imageOf = () => assert.fail("Ark gets links");
  const callbackUrl = "http://127.0.0.1:9/";
  const job = {
    request,
    callbackUrl,
    secondsMax: 1,
    isMarked: false,
    endUser: "somebody",
    linkOf,
    imageOf,
  };
  return renderCreate(job, request, "model")["content"];
}

test("every file is sent in its role and in the caller's order, and no prompt is no text", () => {
  const image = (url: string, role: string) => ({ type: "image_url", image_url: { url }, role });
  const [a, b] = ["https://example.com/a.png", "https://example.com/b.png"];
  expect(contentOf({ prompt: "a fox --dur 15" })).toEqual([
    { type: "text", text: "a fox -- dur 15" },
  ]);
  expect(contentOf({ urls: [a] })).toEqual([image(a, "first_frame")]);
  expect(contentOf({ urls: [b, a] })).toEqual([image(b, "first_frame"), image(a, "last_frame")]);
  const reference = { videoInputMode: "reference", resolution: "720x720" };
  const videoUrls = ["asset://asset-1-v"];
  expect(contentOf({ ...reference, prompt: "x", urls: [b, a], videoUrls, audioUrls: [a] })).toEqual(
    [
      { type: "text", text: "x" },
      image(b, "reference_image"),
      image(a, "reference_image"),
      { type: "video_url", video_url: { url: "asset://asset-1-v" }, role: "reference_video" },
      { type: "audio_url", audio_url: { url: a }, role: "reference_audio" },
    ],
  );
});

import { expect, test } from "vitest";
import {
  InsufficientCreditsError,
  InvalidParametersError,
  NotFoundError,
  UnauthorizedError,
  ZoetropeError,
} from "../../src/errors.ts";
import { Zoetrope } from "../../src/zoetrope.ts";
import type { Bed } from "../bed.ts";
import { countRequests } from "./tasks.ts";

const request = { model: "sd2" as const, inputs: { prompt: "a fox" } };

export function refusalTests(bed: () => Bed): void {
  test("refusals are told apart by their class, with code, parameter, request id and key", async () => {
    const client = await bed().openClient({ credits: 1 });
    const poor = await client.tasks.create(request, { idempotencyKey: "mine" }).catch(caught);
    expect(poor).toBeInstanceOf(InsufficientCreditsError);
    expect(poor).toMatchObject({
      code: "insufficient_credits",
      idempotencyKey: "mine",
      status: 402,
      requestId: expect.any(String),
      message: expect.stringContaining("credits"),
    });
    await expect(client.tasks.get("none")).rejects.toThrow(NotFoundError);
    const inputs = { prompt: "a fox", duration: "99s" as const };
    const wrong = await client.quote({ model: "sd2", inputs }).catch(caught);
    expect(wrong).toBeInstanceOf(InvalidParametersError);
    expect(wrong).toMatchObject({ param: "inputs.duration", requestId: expect.any(String) });
    const stranger = new Zoetrope({ baseUrl: bed().stack.apiUrl, apiKey: "zoe_live_none" });
    await expect(stranger.credits()).rejects.toThrow(UnauthorizedError);
  });

  test("nothing is created above maxCredits, and one credit more is enough", async () => {
    const client = await bed().openClient();
    const { credits } = await client.quote(request);
    const dear = client.run("sd2", request.inputs, { maxCredits: credits - 1 });
    await expect(dear).rejects.toMatchObject({ code: "price_above_max", status: 402 });
    expect((await client.tasks.list()).items).toEqual([]);
    expect((await client.credits()).availableCredits).toBe(10_000);
    await client.tasks.create({ ...request, maxCredits: credits });
  });

  test("a field that a model does not take is a compile error, and a 400 that names it", async () => {
    const client = await bed().openClient();
    const { tasks } = client;
    const prompt = "a fox";
    const refuses = (field: string, call: Promise<unknown>) =>
      expect(call, field).rejects.toMatchObject({ status: 400, param: `inputs.${field}` });
    // @ts-expect-error: quality is a field of image-pro-2
    await refuses("quality", client.run("image-plus-2", { prompt, quality: "high" }));
    // @ts-expect-error: ratio is a field of happyhorse
    await refuses("ratio", tasks.create({ model: "sd2", inputs: { prompt, ratio: "1:1" } }));
    // @ts-expect-error: an image has no duration
    await refuses("duration", client.run("image-pro-2", { prompt, duration: "5s" }));
    // @ts-expect-error: sd2-fast renders 720p
    const sharp = client.run("sd2-fast", { prompt, outputResolution: "1080p" });
    await refuses("outputResolution", sharp);
    // @ts-expect-error: seconds are a number
    await refuses("duration", client.run("sd2", { prompt, duration: "five" }));
    // @ts-expect-error: an image needs a prompt
    await refuses("prompt", client.run("image-plus-2", {}));
    // @ts-expect-error: happyhorse has no audio option
    await refuses("generateAudio", client.run("happyhorse", { prompt, generateAudio: false }));
    const none = client.run("sd3", { prompt }); // may be newer than this package
    await expect(none).rejects.toMatchObject({ status: 400, param: "model" });
  });

  test("two retries with the same key and not before the time that is asked for; then the error has the key", async () => {
    const { proxy } = bed();
    const client = await bed().openClient();
    const sent: unknown[] = [];
    const times: number[] = [];
    proxy.spoil = ({ path, headers }) => {
      if (!path.endsWith("/createTask")) return undefined;
      sent.push(headers["idempotency-key"]);
      times.push(performance.now());
      return {
        status: 503,
        body: { code: "service_unavailable" },
        headers: { "retry-after": "1" },
      };
    };
    const error = await client.tasks.create(request).catch(caught);
    proxy.spoil = null;
    expect(sent).toHaveLength(3);
    expect(new Set(sent)).toEqual(new Set([(error as ZoetropeError).idempotencyKey]));
    for (const [at, time] of times.slice(1).entries())
      expect(time - (times[at] ?? 0)).toBeGreaterThanOrEqual(990);
  });

  test("a call with an effect and without a key is sent once, whatever happens to its answer", async () => {
    const { proxy } = bed();
    const client = await bed().openClient();
    for (const fault of ["reset before", "reset after", { status: 500 }] as const) {
      let sent = 0;
      proxy.spoil = ({ path }) => {
        if (!path.endsWith("/assets/upload")) return undefined;
        sent += 1;
        return fault;
      };
      const fetching = client.assets.fetchUrl("https://example.com/a.png", "IMAGE");
      await expect(fetching).rejects.toThrow(ZoetropeError);
      proxy.spoil = null;
      expect(sent).toBe(1);
    }
  });

  test("a key is sent to no other host: a redirect is an error", async () => {
    const { proxy } = bed();
    const client = await bed().openClient();
    let sent = 0;
    proxy.spoil = ({ path }) => {
      if (!path.endsWith("/credits")) return path === "/elsewhere" ? "hang" : undefined;
      sent += 1;
      return { status: 302, headers: { location: `${proxy.url}/elsewhere` } };
    };
    await expect(client.credits()).rejects.toMatchObject({ code: "redirected" });
    proxy.spoil = null;
    expect(sent).toBe(1);
    expect(proxy.seen.requests.some(({ path }) => path === "/elsewhere")).toBe(false);
  });

  test("an answer that stops in its middle is a lost one, and is asked for again", async () => {
    const { proxy } = bed();
    const client = await bed().openClient();
    let cuts = 0;
    proxy.spoil = ({ path }) =>
      path.endsWith("/credits") && cuts++ === 0 ? { cutAfterBytes: 5 } : undefined;
    expect((await client.credits()).credits).toBe(10_000);
    proxy.spoil = null;
    expect(cuts).toBe(2);
  });

  test("keys are made, limited, listed and revoked", async () => {
    const { stack, proxy } = bed();
    const { accountId } = await stack.openAccount({ name: "keys", credits: 10 });
    const wanted = { name: "manager", scopes: ["keys", "account", "tasks"] };
    const made = await stack.admin("POST", `/accounts/${accountId}/keys`, wanted);
    const client = new Zoetrope({ baseUrl: proxy.url, apiKey: String(made["key"]) });
    const limited = await client.keys.create({ name: "small", scopes: ["tasks"], creditsMax: 5 });
    expect(limited.key).toMatch(/^zoe_live_/);
    const changed = await client.keys.change(limited.keyId, { creditsMax: null });
    expect(changed).toMatchObject({ name: "small", creditsMax: null });
    await client.keys.revoke(limited.keyId);
    const { items } = await client.keys();
    expect(items.find(({ keyId }) => keyId === limited.keyId)?.status).toBe("revoked");
  });

  test("the secrets, endpoints and deliveries of callbacks are read and changed", async () => {
    const { webhooks } = await bed().openClient();
    const { secret } = await webhooks.secret();
    const rotated = await webhooks.rotateSecret(undefined, { overlapHours: 0 });
    expect(await webhooks.secret()).toEqual(rotated);
    expect(rotated.secret).not.toBe(secret);
    const url = `${bed().proxy.url}/hook`;
    const made = await webhooks.createEndpoint({ url, events: ["credits.low"] });
    const { endpointId } = made;
    expect((await webhooks.secret(endpointId)).secret).toBe(made.secret);
    expect((await webhooks.rotateSecret(endpointId)).secret).not.toBe(made.secret);
    await webhooks.changeEndpoint(endpointId, { description: "mine" });
    const { items } = await webhooks.endpoints();
    expect(items).toMatchObject([{ endpointId, url, description: "mine" }]);
    const { deliveryId } = await webhooks.test({ endpointId });
    expect((await webhooks.deliveries({ endpointId })).items).toMatchObject([{ deliveryId }]);
    await webhooks.deleteEndpoint(endpointId);
    expect((await webhooks.endpoints()).items).toEqual([]);
  });

  test.each([
    ["by stream", 1, false],
    ["by long polling", 3, true],
  ])(
    "seconds of waiting %s take at most %i requests",
    async (_way, requestsMax, withoutStreams) => {
      expect(await countRequests(bed(), 3, withoutStreams)).toBeLessThanOrEqual(requestsMax);
    },
  );
}

function caught(error: unknown): unknown {
  return error;
}

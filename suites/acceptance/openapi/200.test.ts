import { expect, test } from "vitest";
import { send } from "../src/client.ts";

test("the description of the API is public and in OpenAPI 3.1", async () => {
  const answer = await send("/openapi.json");
  expect(answer.status).toBe(200);
  expect(answer.body["openapi"]).toMatch(/^3\.1\./);
});

for (const [path, method, statuses] of [
  ["/api/v1/jobs/createTask", "post", [200, 400, 401, 402, 413, 415, 422, 429, 500]],
  ["/api/v1/jobs/quote", "post", [200, 400, 401, 413, 415, 500]],
  ["/api/v1/jobs/queryTask", "get", [200, 204, 304, 400, 401, 403, 404, 429, 500, 503]],
  ["/api/v1/account/credits", "get", [200, 401, 500]],
  ["/api/v1/models", "get", [200, 304, 401, 500]],
  ["/api/v1/upscale/create", "post", [200, 400, 401, 402, 403, 413, 415, 422, 429, 500]],
  ["/api/v1/upscale/query", "get", [200, 400, 401, 403, 404, 500]],
  ["/api/v1/assets/uploads", "post", [200, 400, 401, 413, 415, 429, 500]],
  ["/api/v1/assets/uploads", "get", [200, 400, 401, 404, 429, 500]],
  ["/api/v1/assets/uploads/complete", "post", [200, 400, 401, 404, 413, 415, 429, 500]],
  ["/api/v1/webhooks/deliveries", "get", [200, 400, 401, 429, 500]],
  ["/api/v1/webhooks/delivery", "get", [200, 400, 401, 404, 429, 500]],
  ["/api/v1/webhooks/again", "post", [200, 400, 401, 404, 413, 415, 429, 500]],
  ["/api/v1/webhooks/test", "post", [200, 400, 401, 413, 415, 429, 500]],
  ["/api/v1/webhooks/secret", "get", [200, 401, 429, 500]],
  ["/api/v1/webhooks/secret/rotate", "post", [200, 400, 401, 413, 415, 429, 500]],
  ["/api/v1/events", "get", [200, 400, 401, 429, 500]],
] as const)
  test(`the description has ${method} ${path} with every status it answers`, async () => {
    const { body } = await send("/openapi.json");
    const paths = body["paths"] as Record<string, Record<string, { responses: object }>>;
    const described = Object.keys(paths[path]?.[method]?.responses ?? {});
    expect(described).toEqual(expect.arrayContaining(statuses.map(String)));
  });

import { expect, test } from "vitest";
import { main, other, send, settings } from "../src/client.ts";
import { expectInvalid, expectRefusal } from "../src/expect-refusal.ts";
import { refusedBodies, refusedInputs, thirteenFiles } from "../src/refused-inputs.ts";

for (const { rule, model, inputs, param } of refusedInputs)
  test(`§4.1 ${model}: ${rule} is a 400 that names ${param}`, async () => {
    expectInvalid(await main.createTask({ model, inputs }), param);
  });

for (const { rule, body, param } of refusedBodies)
  test(`§4.1 ${rule}: a 400 that names ${param}`, async () => {
    expectInvalid(await main.createTask(body), param);
  });

for (const model of ["sd2", "sd2-fast"])
  test(`§4.1 ${model}: reference takes max 12 files in total, 13 are a 400 that says so`, async () => {
    const answer = await main.createTask({ model, inputs: thirteenFiles });
    expect(answer.status, answer.text).toBe(400);
    expect(answer.body["message"]).toContain("12");
    expect(answer.body["param"]).toMatch(/^inputs\.(urls|videoUrls|audioUrls)$/);
  });

for (const [what, body] of [
  ["half a JSON text", '{"model":"sd2",'],
  ["no body at all", ""],
  ["a body that is no JSON", "model=sd2"],
])
  test(`§4 request bodies are JSON: ${what} is a 400 that names body`, async () => {
    const answer = await sendBody(body ?? "");
    expectRefusal(answer, { status: 400, code: "invalid_json", param: "body" });
  });

for (const body of ["[]", "null", '"sd2"', "7"])
  test(`§4.1 the body is an object: ${body} is a 400`, async () => {
    expectInvalid(await sendBody(body), "body");
  });

test("Idempotency-Key: more than 255 characters are a 400", async () => {
  const body = { model: "sd2", inputs: { prompt: "A paper boat" } };
  const answer = await main.createTask(body, { "idempotency-key": "k".repeat(256) });
  expect(answer.status, answer.text).toBe(400);
  expect(String(answer.body["param"]).toLowerCase()).toBe("idempotency-key");
});

test("§7 a refused request leaves the balance unchanged", async () => {
  const before = await other.idle();
  for (const { body } of refusedBodies) await other.createTask(body);
  for (const { model, inputs } of refusedInputs) await other.createTask({ model, inputs });
  expect(await other.balance()).toEqual(before);
});

function sendBody(body: string) {
  const authorization = `Bearer ${settings.keys.main}`;
  const headers = { authorization, "content-type": "application/json" };
  return send("/api/v1/jobs/createTask", { method: "POST", headers, body });
}

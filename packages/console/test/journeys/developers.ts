import { createServer } from "node:http";
import { Zoetrope } from "@zoetrope/sdk";
import { expect } from "vitest";
import type { Journey } from "../harness/journey.ts";

/** Starts a receiver that responds with a settable status until it is closed. */
async function startReceiver(): Promise<AsyncDisposable & { url: string; status: number }> {
  const server = createServer((request, response) => {
    request.resume();
    response.writeHead(receiver.status).end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  const receiver = {
    url: `http://127.0.0.1:${port}/hook`,
    status: 200,
    [Symbol.asyncDispose]: () => new Promise<void>((resolve) => server.close(() => resolve())),
  };
  return receiver;
}

export const developerJourneys: readonly Journey[] = [
  {
    name: "an owner makes a key with a budget, calls the API with it, changes it, and revokes it: then it is refused",
    visitor: { role: "owner" },
    async run({ bed, page, t, open, type, press, check }) {
      await open("/keys");
      await press(page.getByRole("button", { name: t("developers:keys.create") }));
      const form = page.getByRole("dialog");
      await type(form.getByLabel(t("developers:keys.name")), "render farm");
      await press(form.getByLabel(t("developers:keys.scopesAll")));
      const readOnly = form.getByLabel(t("developers:keys.scope.read"));
      expect(await readOnly.isChecked()).toBe(true);
      await press(form.getByLabel(t("developers:keys.scope.tasks")));
      expect(await readOnly.isChecked(), "read only goes with nothing else").toBe(false);
      await type(form.getByLabel(t("developers:keys.budget")), "50");
      await check("form of a key");
      await press(form.getByRole("button", { name: t("developers:keys.create") }));
      const key = (await form.locator("code").textContent()) ?? "";
      await check("key shown once");
      await press(form.getByRole("button", { name: t("developers:keys.done") }));
      const client = new Zoetrope({ baseUrl: bed.origin, apiKey: key });
      expect((await client.key()).creditsLeft).toBe(50);
      const row = page.getByRole("row").filter({ hasText: "render farm" });
      await row.getByText(t("developers:keys.budgetLeft", { left: "50", max: "50" })).waitFor();
      await row.getByText(t("developers:keys.scope.tasks")).waitFor();
      expect(await page.content()).not.toContain(key);
      await press(row.getByRole("button", { name: t("developers:keys.change") }));
      await type(form.getByLabel(t("developers:keys.budget")), "70");
      await press(form.getByRole("button", { name: t("save") }));
      await row.getByText(t("developers:keys.budgetLeft", { left: "70", max: "70" })).waitFor();
      await press(row.getByRole("button", { name: t("developers:keys.revoke") }));
      await check("question before a key is revoked");
      await press(form.getByRole("button", { name: t("developers:keys.revoke") }));
      await row.getByText(t("developers:keys.status.revoked")).waitFor();
      await check("keys");
      await expect
        .poll(
          () =>
            client.key().then(
              () => "works",
              (error) => error.code,
            ),
          { timeout: 60_000 },
        )
        .toBe("unauthorized");
    },
  },
  {
    name: "a failing callback is found by its outcome, its receiver mended, and it is redelivered from the page",
    visitor: { role: "developer" },
    async run({ bed, account, page, t, open, press, choose, check }) {
      await using receiver = await startReceiver();
      receiver.status = 500;
      const client = new Zoetrope({ baseUrl: bed.origin, apiKey: account.key });
      const request = { model: "image-plus-2" as const, inputs: { prompt: "an owl" } };
      const { taskId } = await client.tasks.create({ ...request, callBackUrl: receiver.url });
      await client.tasks.wait(taskId);
      const list = { method: "GET" as const, path: "/api/v1/webhooks/deliveries" };
      const failed = { ...list, query: { outcome: "failed" } };
      await expect
        .poll(async () => (await client.request<{ items: object[] }>(failed)).items.length, {
          timeout: 240_000,
        })
        .toBe(1);
      await open("/webhooks?tab=deliveries");
      await choose(page.getByLabel(t("developers:deliveries.outcome"), { exact: true }), "failed");
      await press(page.getByRole("button", { name: t("developers:deliveries.details") }));
      const dialog = page.getByRole("dialog");
      await dialog.getByText(t("developers:deliveries.attempt", { number: "4" })).waitFor();
      await dialog.getByText(taskId).first().waitFor();
      await check("a delivery that failed");
      receiver.status = 204;
      await press(dialog.getByRole("button", { name: t("developers:deliveries.redeliver") }));
      await dialog.waitFor({ state: "hidden" });
      const delivered = { ...list, query: { outcome: "delivered" } };
      await expect
        .poll(async () => (await client.request<{ items: object[] }>(delivered)).items.length, {
          timeout: 60_000,
        })
        .toBe(1);
      await choose(
        page.getByLabel(t("developers:deliveries.outcome"), { exact: true }),
        "delivered",
      );
      await page.getByRole("cell", { name: /204/ }).waitFor();
      await check("deliveries");
    },
  },
  {
    name: "a developer adds an endpoint, sends a test event, sees its health, rotates its secret and deletes it",
    visitor: { role: "developer" },
    async run({ page, t, open, type, press, check }) {
      await using receiver = await startReceiver();
      await open("/webhooks");
      await press(page.getByRole("button", { name: t("developers:endpoints.create") }));
      const dialog = page.getByRole("dialog");
      await type(dialog.getByLabel(t("developers:endpoints.url")), receiver.url);
      await check("form of an endpoint");
      await press(dialog.getByRole("button", { name: t("developers:endpoints.create") }));
      const first = await dialog.locator("code").textContent();
      expect(first).toMatch(/^whsec_/);
      await press(dialog.getByRole("button", { name: t("developers:keys.done") }));
      const card = page.getByRole("listitem").filter({ hasText: receiver.url });
      await press(card.getByRole("button", { name: t("developers:endpoints.test") }));
      await page.getByText(t("developers:endpoints.tested")).waitFor();
      await press(card.getByRole("link", { name: t("developers:endpoints.showDeliveries") }));
      const sent = page.getByRole("row").nth(1);
      await sent.getByText("test", { exact: true }).waitFor();
      await page.goBack();
      await expect
        .poll(
          async () => {
            await page.reload();
            await card.waitFor();
            return card.getByText(t("developers:endpoints.unused")).count();
          },
          { timeout: 120_000, interval: 2_000 },
        )
        .toBe(0);
      await press(card.getByRole("button", { name: t("developers:endpoints.rotate") }));
      await press(dialog.getByRole("button", { name: t("developers:endpoints.rotate") }));
      await expect.poll(() => card.locator("code").textContent()).not.toBe(first);
      await check("endpoint with its secret");
      await press(card.getByRole("button", { name: t("delete") }));
      await press(dialog.getByRole("button", { name: t("delete") }));
      await page.getByText(t("developers:endpoints.empty")).waitFor();
    },
  },
  {
    name: "an event appears on the page as the task ends, without a request; the newest of before is on top",
    visitor: { role: "viewer" },
    async run({ bed, account, page, watch, t, open, check }) {
      await open("/webhooks?tab=events");
      await page.getByText(t("developers:events.empty")).waitFor();
      const before = watch.requests.length;
      const client = new Zoetrope({ baseUrl: bed.origin, apiKey: account.key });
      const { taskId } = await client.run("image-plus-2", { prompt: "a kite" });
      await page.getByRole("link", { name: taskId }).waitFor();
      expect(watch.requests.length).toBe(before);
      await check("events");
      const later = await client.run("image-plus-2", { prompt: "a second kite" });
      await page.reload();
      const newest = page.getByRole("row").nth(1);
      await newest.getByRole("link", { name: later.taskId }).waitFor();
    },
  },
  {
    name: "a refused request is found in the request log by the id that its error has, and a part of an id asks nothing",
    visitor: { role: "developer" },
    async run({ bed, account, page, watch, t, open, type, check }) {
      const client = new Zoetrope({ baseUrl: bed.origin, apiKey: account.key });
      const refused = await client.quote({ model: "image-plus-2", inputs: { prompt: "" } }).then(
        () => null,
        (error) => error as { requestId: string; code: string },
      );
      const { requestId = "", code = "" } = refused ?? {};
      expect(requestId).not.toBe("");
      const find = {
        method: "GET" as const,
        path: "/api/v1/account/requests",
        query: { requestId },
      };
      await expect
        .poll(async () => (await client.request<{ items: object[] }>(find)).items.length, {
          timeout: 60_000,
        })
        .toBe(1);
      await open("/requests");
      await page.getByRole("row").nth(1).waitFor();
      await check("request log");
      const field = page.getByLabel(t("developers:requests.requestId"));
      watch.requests.length = 0;
      await type(field, requestId.slice(0, 9));
      await page.getByText(t("wholeId")).waitFor();
      await check("a part of an id");
      await expect.poll(() => page.getByRole("alert").count()).toBe(0);
      expect(watch.requests).toEqual([]);
      await type(field, requestId);
      const row = page.getByRole("row").filter({ hasText: requestId });
      await row.getByText("POST /api/v1/jobs/quote").waitFor();
      await row.getByText(code).waitFor();
      await expect.poll(() => page.url()).toContain(requestId);
      await expect.poll(() => watch.requests).toEqual(["GET /api/v1/account/requests"]);
    },
  },
];

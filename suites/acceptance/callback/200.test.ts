import { startReceiver } from "@zoetrope/testkit/start-receiver.ts";
import { describe, expect, test } from "vitest";
import { main, settings, waitFor } from "../src/client.ts";
import { anyVideo } from "../src/examples.ts";

const failing = { model: "sd2", inputs: { prompt: "A boat [sandbox:fail]", duration: "4s" } };

describe.runIf(settings.callsLoopback).concurrent("callbacks", () => {
  for (const [status, { model, inputs }] of [
    ["COMPLETED", anyVideo],
    ["FAILED", failing],
  ] as const)
    test.runIf(settings.hasSandbox)(
      `§6 when a task is ${status}, callBackUrl receives a POST whose JSON body is queryTask's answer`,
      async () => {
        await using receiver = await startReceiver();
        const taskId = await main.create(model, inputs, { callBackUrl: receiver.hookUrl });
        await waitFor("the callback has come", () => receiver.received.length > 0);
        const [callback] = receiver.received;
        expect(callback).toMatchObject({ method: "POST", path: "/hook" });
        expect(callback?.headers["content-type"]).toMatch(/^application\/json/);
        const task = await main.task(taskId);
        expect(task).toMatchObject({ taskId, status });
        expect(JSON.parse(callback?.body ?? "")).toEqual(task);
      },
    );

  test.runIf(settings.hasSandbox)(
    "§6 callbacks carry the headers of Standard Webhooks",
    async () => {
      await using receiver = await startReceiver();
      await main.create(failing.model, failing.inputs, { callBackUrl: receiver.hookUrl });
      await waitFor("the callback has come", () => receiver.received.length > 0);
      const [callback] = receiver.received;
      expect(callback?.headers["webhook-id"]).toMatch(/./);
      expect(callback?.headers["webhook-signature"]).toMatch(/^v1,/);
      const sentAt = Number(callback?.headers["webhook-timestamp"]) * 1000;
      expect(Math.abs(sentAt - Date.now())).toBeLessThan(60_000);
    },
  );
});

import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { openTestBed, type TestBed } from "../../test/harness/test-context.ts";
import type { Actor } from "../ids.ts";
import { setBanner, switchModel } from "./set-switch.ts";

let bed: TestBed;
beforeAll(async () => {
  bed = await openTestBed();
});
afterAll(async () => {
  await bed[Symbol.asyncDispose]();
});

const root: Actor = { kind: "command", user: "root", address: null, requestId: null };
const banner = {
  severity: "warning" as const,
  text: { en: "Slow today", zh: "今天较慢" },
  until: null,
};
const minute = { timeout: 60_000 };

test("a change reaches every process by itself, and the audit says what it was before", async () => {
  const other = bed.openAnother();
  await Promise.all([bed.ctx.switches.watch(), other.switches.watch()]);
  await switchModel(bed.ctx, root, "sd2", { message: "Back at noon." }, "vendor is down");
  await setBanner(bed.ctx, root, banner);
  for (const { switches } of [bed.ctx, other]) {
    await vi.waitFor(() => expect(switches.current().banner).toEqual(banner), minute);
    expect([...switches.current().modelsOff]).toEqual([["sd2", { message: "Back at noon." }]]);
  }
  await switchModel(bed.ctx, root, "sd2", null);
  await vi.waitFor(() => expect(other.switches.current().modelsOff.size).toBe(0), minute);
  await setBanner(bed.ctx, root, null);
  const entries = await bed.ctx.db
    .selectFrom("audit_entries")
    .select(["action", "object", "before", "after", "reason"])
    .orderBy("id")
    .execute();
  expect(entries).toEqual([
    {
      action: "model.off",
      object: "model sd2",
      before: null,
      after: { message: "Back at noon." },
      reason: "vendor is down",
    },
    {
      action: "banner.show",
      object: "banner",
      before: null,
      reason: null,
      after: { severity: "warning", en: "Slow today", zh: "今天较慢", until: null },
    },
    {
      action: "model.on",
      object: "model sd2",
      after: null,
      reason: null,
      before: { message: "Back at noon." },
    },
    {
      action: "banner.remove",
      object: "banner",
      after: null,
      reason: null,
      before: { severity: "warning", en: "Slow today", zh: "今天较慢", until: null },
    },
  ]);
});

test("what is not switched cannot be switched back", async () => {
  const on = switchModel(bed.ctx, root, "sd2-fast", null);
  await expect(on).rejects.toMatchObject({ code: "switch_not_found" });
  await expect(setBanner(bed.ctx, root, null)).rejects.toMatchObject({ code: "switch_not_found" });
});

test("a switch of another release is passed over", async () => {
  await bed.database.sql(
    `insert into switches (name, value) values ('disco', '{}'), ('model x', '7')`,
  );
  await bed.ctx.switches.refresh();
  expect(bed.ctx.switches.current().modelsOff.size).toBe(0);
});

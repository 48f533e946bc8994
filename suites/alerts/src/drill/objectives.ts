import { withClient } from "@zoetrope/dev/services/with-client.ts";
import type { AlertName } from "../alerts/alert-table.ts";
import { keepDoing } from "./keep-doing.ts";
import type { Drill, Scenario } from "./scenario.ts";

const taskMsMax = 10 * 60_000;

/** Several tasks at a time of one model, whose prompts say what becomes of them. */
const tasks = (
  alert: AlertName,
  { breaks, model, directive }: { breaks: string; model: string; directive: string },
): Scenario => ({
  breaks,
  alert,
  labels: { model },
  async run({ client }: Drill) {
    const prompt = `a lighthouse [sandbox:${directive}]`;
    const makeOne = async () => client.finished(await client.create(model, { prompt }), taskMsMax);
    const stop = keepDoing(() => Promise.all(Array.from({ length: 12 }, makeOne)), 100);
    return {
      async repair() {
        await stop();
        await client.idle();
      },
    };
  },
});

/** The database does this to every task that is created, and somebody keeps creating them. */
const creates = (
  alert: AlertName,
  { breaks, statement }: { breaks: string; statement: string },
): Scenario => ({
  breaks,
  alert,
  labels: { route: "/api/v1/jobs/createTask" },
  async run({ stack, client }: Drill) {
    const own = (sql: string) => withClient(stack.databaseOwnerUrl, (db) => db.query(sql));
    const onCreate = (what: string) =>
      own(`create or replace function drill() returns trigger language plpgsql as $$
        begin ${what} return new; end $$`);
    await onCreate(`${statement};`);
    await own("create trigger drill before insert on tasks for each row execute function drill()");
    const makeOne = async () =>
      client.finished(await client.create("sd2", { prompt: "a kite" }), taskMsMax);
    const stops = Array.from({ length: 3 }, () => keepDoing(makeOne, 200));
    return {
      async repair() {
        await onCreate(""); // a trigger is dropped under a lock that creates would deadlock with
        for (const stop of stops) await stop();
        await client.idle();
      },
      end: () => own("drop trigger drill on tasks; drop function drill()"),
    };
  },
});

/** Scenarios that customers notice, whatever the cause. */
export const objectives: readonly Scenario[] = [
  creates("CreatesFailing", {
    breaks: "the database refuses every new task",
    statement: "raise exception 'a drill'",
  }),
  creates("CreatesSlow", {
    breaks: "every new task takes a second and a half to be written",
    statement: "perform pg_sleep(1.5)",
  }),
  {
    breaks: "a vendor account is paused and forgotten",
    alert: "VendorAccountClosed",
    labels: { vendor_account: "forgotten", reason: "paused" },
    async run({ stack: { admin, sandboxUrl } }) {
      const path = "/vendor-accounts/forgotten";
      await admin("POST", "/vendor-accounts", {
        name: "forgotten",
        kind: "ark",
        baseUrl: `${sandboxUrl}/api/v3`,
        weight: 0,
        apiKey: "sandbox-ark-key",
      });
      await admin("POST", `${path}/pause`, {});
      return {
        repair: () => admin("POST", `${path}/resume`, {}),
        end: () => admin("DELETE", path),
      };
    },
  },
  tasks("ResultsSlow", {
    breaks: "a vendor takes 40 s for what took one",
    model: "sd2",
    directive: "slow=40",
  }),
  tasks("ModelBlocking", {
    breaks: "a vendor blocks every output of a model",
    model: "happyhorse",
    directive: "fail=output_blocked",
  }),
  tasks("ModelFailing", {
    breaks: "all tasks of a model fail",
    model: "happyhorse",
    directive: "fail",
  }),
];

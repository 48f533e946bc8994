import { alike, openAccounts } from "@zoetrope/dev/open-accounts.ts";
import { withClient } from "@zoetrope/dev/services/with-client.ts";
import { createClient } from "@zoetrope/testkit/api-client.ts";
import { holdTransaction } from "./hold-transaction.ts";
import { keepDoing } from "./keep-doing.ts";
import type { Scenario } from "./scenario.ts";

/** Something is wrong in the database, and a person has to look. */
export const rows: readonly Scenario[] = [
  {
    breaks: "a transaction holds the account of a task that is over its deadline",
    alert: "TasksStuck",
    async run({ stack }) {
      const { databaseOwnerUrl } = stack;
      const account = await stack.openAccount({ name: "stuck", credits: 1_000 });
      const client = createClient(stack.apiUrl, account.key);
      const task = await client.create("sd2", { prompt: "a moth [sandbox:slow=3600]" });
      const lock = `select from accounts where id = '${account.accountId}' for update`;
      const release = await holdTransaction(databaseOwnerUrl, lock);
      const overdue =
        "update open_tasks set deadline_at = now() - interval '10 minutes' where task_id = $1";
      await withClient(databaseOwnerUrl, (db) => db.query(overdue, [task]));
      return {
        async repair() {
          await release();
          await client.finished(task);
        },
      };
    },
  },
  {
    breaks: "the database goes back to an earlier position, as a restored one",
    alert: "DatabaseBehind",
    async run({ stack }) {
      const goBack = "update fence set position = position - 1000000";
      await withClient(stack.databaseOwnerUrl, (db) => db.query(goBack));
      const goOn = "update fence set position = position + 1000000, behind_since = null";
      return { repair: () => withClient(stack.databaseOwnerUrl, (db) => db.query(goOn)) };
    },
  },
  {
    breaks: "an asset has waited three hours for a reviewer",
    alert: "ReviewsWaiting",
    async run({ stack }) {
      const { accountId } = await stack.openAccount({ name: "reviewed", credits: 10 });
      const own = (sql: string) => withClient(stack.databaseOwnerUrl, (db) => db.query(sql));
      await own(`with made as (
          insert into assets (account_id, upstream_asset_id, type, status, content_type, size_bytes, width, height,
                              storage_key, next_step_at)
          values ('${accountId}', 'asset-1-drill', 'IMAGE', 'PROCESSING', 'image/png', 10, 1, 1, 'drill', 'infinity')
          returning id, account_id)
        insert into open_reviews (asset_id, account_id, place_at, asked_at)
        select id, account_id, now(), now() - interval '3 hours' from made`);
      return { repair: () => own(`delete from open_reviews where account_id = '${accountId}'`) };
    },
  },
  {
    breaks: "a row is parked",
    alert: "RowsParked",
    async run({ stack }) {
      const park = `insert into stuck_rows (loop, key, failures, next_try_at, parked_at, reason)
        values ('drill', 'a', 10, 'infinity', now(), 'a drill')`;
      await withClient(stack.databaseOwnerUrl, (db) => db.query(park));
      const row = { loop: "drill", key: "a" };
      return { repair: () => stack.admin("POST", "/stuck-rows/drop", row) };
    },
  },
  {
    breaks: "a transaction holds the table that one loop works on",
    alert: "LoopDead",
    labels: { loop: "purge answers" },
    async run({ stack }) {
      const lock = "lock table idempotency_keys in access exclusive mode";
      return { repair: await holdTransaction(stack.databaseOwnerUrl, lock) };
    },
  },
  {
    breaks: "a transaction holds the accounts, and requests of many of them wait for it",
    alert: "PoolExhausted",
    async run({ stack: { databaseOwnerUrl, apiUrl } }) {
      const plan = { name: "waiting", credits: 10, openTasksMax: 3 };
      const accounts = await openAccounts(databaseOwnerUrl, alike(40, plan));
      const clients = accounts.map(({ key }) => createClient(apiUrl, key));
      for (const client of clients) await client.balance(); // few unknown keys are looked up at once
      const lock = "lock table accounts in access exclusive mode";
      const release = await holdTransaction(databaseOwnerUrl, lock);
      const stops = clients.map((client) => keepDoing(client.balance, 100));
      return {
        async repair() {
          await release();
          for (const stop of stops) await stop();
        },
      };
    },
  },
];

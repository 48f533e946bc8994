import { alike, openAccounts } from "@zoetrope/dev/open-accounts.ts";
import { createClient } from "@zoetrope/testkit/api-client.ts";
import { startReceiver } from "@zoetrope/testkit/start-receiver.ts";
import { keepDoing } from "./keep-doing.ts";
import type { Scenario } from "./scenario.ts";

const accountsCount = 8;
/** An account may send 60 test events a minute. */
const everyMs = 3_000;

export const callbacksFail: Scenario = {
  breaks: `the receivers of ${accountsCount} accounts answer 500`,
  alert: "CallbacksFailing",
  async run({ stack: { databaseOwnerUrl, apiUrl } }) {
    const receiver = await startReceiver(() => 500);
    const plan = { name: "called back", credits: 10, openTasksMax: 3 };
    const accounts = await openAccounts(databaseOwnerUrl, alike(accountsCount, plan));
    const stops = accounts.map(({ key }) => {
      const client = createClient(apiUrl, key);
      return keepDoing(() => client.sendTestEvent({ url: receiver.hookUrl }), everyMs);
    });
    return {
      async repair() {
        receiver.answer = () => 200;
        for (const stop of stops) await stop();
      },
      end: async () => await receiver[Symbol.asyncDispose](),
    };
  },
};

import { z } from "zod";
import { answer, answerErrors } from "../answer.ts";
import type { McpContext } from "../mcp-context.ts";
import { readOnly } from "./shapes.ts";

const openShownMax = 20;

export function addAccountTools({ server, client }: McpContext): void {
  server.registerTool(
    "get_account",
    {
      description: "Credits, the key's budget and models, open tasks.",
      inputSchema: z.strictObject({}),
      annotations: readOnly,
    },
    () =>
      answerErrors(async () => {
        const list = { limit: openShownMax };
        const [balance, key, pending, processing] = await Promise.all([
          client.credits(),
          client.key(),
          client.tasks.list({ ...list, status: "PENDING" }),
          client.tasks.list({ ...list, status: "PROCESSING" }),
        ]);
        const { name, mode, models, creditsMax, creditsLeft } = key;
        const open = [...pending.items, ...processing.items];
        return answer({
          ...balance,
          key: { name, mode, models, creditsMax, creditsLeft },
          openTasks: open.map(({ taskId, kind, status }) => ({ taskId, kind, status })),
        });
      }),
  );
}

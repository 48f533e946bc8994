import type { UsageQuery } from "../answers.ts";
import { type Invocation, numberOption, textOption } from "../run.ts";
import { openSession } from "../session.ts";
import { cleanText } from "../terminal/clean-text.ts";
import { formatTable, formatTime } from "../terminal/format.ts";
import { more } from "./tasks.ts";

export async function showCredits(invocation: Invocation): Promise<void> {
  const { client, signal, talk } = await openSession(invocation);
  const credits = await client.credits({ signal });
  const held = credits.credits - credits.availableCredits;
  talk.result(credits, () => [
    cleanText(`${credits.availableCredits} credits available`),
    ...(held === 0 ? [] : [`${held} more are held by open tasks`]),
  ]);
}

export async function showLedger(invocation: Invocation): Promise<void> {
  const { client, signal, talk } = await openSession(invocation);
  const limit = numberOption(invocation.options, "limit");
  const cursor = numberOption(invocation.options, "cursor");
  const page = await client.ledger({ limit, cursor }, { signal });
  talk.result(page, () => [
    ...formatTable(
      ["NUMBER", "TIME", "KIND", "AMOUNT", "CREDITS", "AVAILABLE", "TASK", "NOTE"],
      page.items.map(({ number, time, kind, amount, credits, availableCredits, taskId, note }) => [
        number,
        formatTime(time),
        kind,
        amount,
        credits,
        availableCredits,
        taskId,
        note,
      ]),
    ),
    ...more(page.nextCursor),
  ]);
}

export async function showUsage(invocation: Invocation): Promise<void> {
  const { client, signal, talk } = await openSession(invocation);
  const { options } = invocation;
  const query: Record<string, unknown> = { limit: numberOption(options, "limit") };
  for (const name of ["by", "group", "from", "to", "cursor"])
    query[name] = textOption(options, name);
  const page = await client.usage(query as UsageQuery, { signal });
  talk.result(page, () => [
    ...formatTable(
      ["FROM", page.group?.toUpperCase() ?? "", "COMPLETED", "FAILED", "CREDITS", "VIDEO SECONDS"],
      page.items.map(({ start, value, name, completed, failed, credits, videoSeconds }) => [
        formatTime(start),
        name ?? value,
        completed,
        failed,
        credits,
        videoSeconds,
      ]),
    ),
    ...more(page.nextCursor),
  ]);
}

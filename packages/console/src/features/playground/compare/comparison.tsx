import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useAccount } from "../../../app/session.tsx";
import { keepRequest } from "../drafts.ts";
import { newTask, useRuns } from "../run/runs.ts";
import { useStartTask } from "../run/start-task.ts";
import type { Obstacle } from "../run-bar.tsx";
import type { Model } from "../use-models.ts";
import { useObstacle } from "../use-obstacle.ts";
import { useRoom } from "../use-room.ts";
import { CompareForm } from "./compare-form.tsx";
import { CompareResults, type Heat } from "./compare-results.tsx";
import { type Entry, useCompare } from "./use-compare.ts";

/** One prompt, several models, one price, results side by side. */
export function Comparison({ models }: { models: readonly Model[] }) {
  const { t } = useTranslation("playground");
  const comparison = useCompare(models);
  const { entries, shared } = comparison;
  const { room, roomError, readAgain } = useRoom();
  const { runs, heats, isBusy, startAll, startOne } = useHeats(readAgain);
  const prices = entries.map(({ price }) => price);
  const total = prices.every((price) => price !== null)
    ? prices.reduce((sum, price) => sum + price, 0)
    : null;
  const error = entries.find((entry) => entry.error !== null)?.error ?? roomError;
  const facts = { missing: null, uploads: 0, error, price: total, tasks: entries.length, room };
  const refusal = useObstacle(facts);
  const lack = shared.prompt.trim() === "" ? t("compare.noPrompt") : null;
  const first = entries.length < 2 ? t("compare.needModels") : lack;
  const obstacle: Obstacle | null = first === null ? refusal : { kind: "text", text: first };
  return (
    <>
      <CompareForm
        comparison={comparison}
        total={entries.length === 0 ? null : total}
        obstacle={obstacle}
        isBusy={isBusy}
        onRun={() => void startAll(entries)}
      />
      <CompareResults heats={heats} runs={runs} onRetry={(heat) => void startOne(heat.entry)} />
    </>
  );
}

/** Starts several tasks at once; one that is refused leaves the others alone. */
function useHeats(readAgain: () => void) {
  const { account, client } = useAccount();
  const start = useStartTask(client);
  const { runs, add } = useRuns(readAgain);
  const [heats, setHeats] = useState<readonly Heat[]>([]);
  const [isBusy, setBusy] = useState(false);
  const change = (entry: Entry, to: Partial<Heat>) =>
    setHeats((before) =>
      before.map((heat) =>
        heat.entry.contestant.model === entry.contestant.model ? { ...heat, ...to } : heat,
      ),
    );
  const startOne = async (entry: Entry) => {
    const { contestant, inputs, price } = entry;
    if (price === null) return;
    change(entry, { error: null, taskId: null });
    try {
      const { model } = contestant;
      const taskId = await start({ model, inputs, maxCredits: price });
      keepRequest(account.accountId, taskId, { model, inputs });
      add(newTask(taskId, model, price));
      change(entry, { taskId });
    } catch (error) {
      change(entry, { error });
    }
    readAgain();
  };
  const startAll = async (entries: readonly Entry[]) => {
    setBusy(true);
    setHeats(entries.map((entry) => ({ entry, taskId: null, error: null })));
    await Promise.all(entries.map(startOne));
    setBusy(false);
  };
  return { runs, heats, isBusy, startAll, startOne };
}

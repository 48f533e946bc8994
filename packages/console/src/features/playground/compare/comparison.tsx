import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useAccount } from "../../../app/session.tsx";
import { keepRequest } from "../drafts.ts";
import { newTask, useRuns } from "../run/runs.ts";
import { useStartTask } from "../run/start-task.ts";
import type { RunBlocker } from "../run-bar.tsx";
import { useAllowance } from "../use-allowance.ts";
import type { Model } from "../use-models.ts";
import { useRunBlocker } from "../use-run-blocker.ts";
import { CompareForm } from "./compare-form.tsx";
import { CompareResults, type StartedEntry } from "./compare-results.tsx";
import { type Entry, useCompare } from "./use-compare.ts";

/** One prompt, several models, one price, results side by side. */
export function Comparison({ models }: { models: readonly Model[] }) {
  const { t } = useTranslation("playground");
  const comparison = useCompare(models);
  const { entries, shared } = comparison;
  const { allowance, allowanceError, readAgain } = useAllowance();
  const { runs, startedEntries, isBusy, startAll, startOne } = useStartedEntries(readAgain);
  const prices = entries.map(({ price }) => price);
  const total = prices.every((price) => price !== null)
    ? prices.reduce((sum, price) => sum + price, 0)
    : null;
  const error = entries.find((entry) => entry.error !== null)?.error ?? allowanceError;
  const facts = {
    missing: null,
    uploads: 0,
    error,
    price: total,
    tasks: entries.length,
    allowance,
  };
  const refusal = useRunBlocker(facts);
  const lack = shared.prompt.trim() === "" ? t("compare.noPrompt") : null;
  const first = entries.length < 2 ? t("compare.needModels") : lack;
  const blocker: RunBlocker | null = first === null ? refusal : { kind: "text", text: first };
  return (
    <>
      <CompareForm
        comparison={comparison}
        total={entries.length === 0 ? null : total}
        blocker={blocker}
        isBusy={isBusy}
        onRun={() => void startAll(entries)}
      />
      <CompareResults
        startedEntries={startedEntries}
        runs={runs}
        onRetry={(started) => void startOne(started.entry)}
      />
    </>
  );
}

/** Starts several tasks at once; one that is refused leaves the others alone. */
function useStartedEntries(readAgain: () => void) {
  const { account, client } = useAccount();
  const start = useStartTask(client);
  const { runs, add } = useRuns(readAgain);
  const [startedEntries, setHeats] = useState<readonly StartedEntry[]>([]);
  const [isBusy, setBusy] = useState(false);
  const change = (entry: Entry, to: Partial<StartedEntry>) =>
    setHeats((before) =>
      before.map((started) =>
        started.entry.candidate.model === entry.candidate.model ? { ...started, ...to } : started,
      ),
    );
  const startOne = async (entry: Entry) => {
    const { candidate, inputs, price } = entry;
    if (price === null) return;
    change(entry, { error: null, taskId: null });
    try {
      const { model } = candidate;
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
  return { runs, startedEntries, isBusy, startAll, startOne };
}

import { ApiError } from "@zoetrope/sdk";
import { useState } from "react";
import { useAccount } from "../../app/session.tsx";
import { useAction } from "../../lib/use-action.ts";
import { keepRequest } from "./drafts.ts";
import type { FormField } from "./form/read-forms.ts";
import { inputsOf, missingOf, readParam } from "./form/values.ts";
import { newTask, type Run, useRuns } from "./run/runs.ts";
import { useStartTask } from "./run/start-task.ts";
import { useAllowance } from "./use-allowance.ts";
import type { Draft } from "./use-draft.ts";
import { useQuote } from "./use-quote.ts";
import { useRunBlocker } from "./use-run-blocker.ts";

/** A price does not depend on the words: an empty prompt is quoted as this one. */
const anyPrompt = "…";

export type Generation = ReturnType<typeof useGeneration>;

/** Returns the price of the current form, whether it can be started, and the outcome of starting it. */
export function useGeneration({ model, form, values }: Draft) {
  const { account, client } = useAccount();
  const [uploading, setUploading] = useState<Readonly<Record<string, number>>>({});
  const [task, show] = useState<Run["task"] | null>(null);
  const start = useStartTask(client);
  const { allowance, allowanceError, readAgain } = useAllowance();
  const { runs, add } = useRuns(readAgain);
  const inputs = inputsOf(form, values);
  const missing = missingOf(form, values);
  const blank =
    missing?.kind === "input" && missing.field.control === "prompt" ? missing.field.name : null;
  const quoted = blank === null ? inputs : { ...inputs, [blank]: anyPrompt };
  const quote = useQuote(model.model, quoted, missing === null || blank !== null);
  const price = quote.price?.credits ?? null;
  const uploads = Object.values(uploading).reduce((sum, count) => sum + count, 0);
  const refusal = quote.error ?? allowanceError;
  const blocker = useRunBlocker({ missing, uploads, error: refusal, price, tasks: 1, allowance });
  const { run, isBusy, error } = useAction(async () => {
    if (price === null) return;
    const taskId = await start({ model: model.model, inputs, maxCredits: price });
    keepRequest(account.accountId, taskId, { model: model.model, inputs });
    const made = newTask(taskId, model.model, price);
    add(made);
    show(made);
    readAgain();
  });
  /** Returns the server's message about a field, from now or from the last press. */
  const errorOf = ({ name }: FormField): string | undefined => {
    const told = missing === null ? (quote.error ?? error) : null;
    if (!(told instanceof ApiError) || told.status !== 400) return undefined;
    return readParam(told.param)?.name === name ? told.message : undefined;
  };
  const current = runs.find((one) => one.task.taskId === task?.taskId);
  return {
    inputs,
    quote,
    price,
    blocker,
    runs,
    show,
    errorOf,
    isBusy,
    error,
    run,
    shown: current ?? (task && { task, workingSince: null }) ?? runs[0] ?? null,
    setUploading: (name: string, count: number) =>
      setUploading((before) => (before[name] === count ? before : { ...before, [name]: count })),
    canRun: blocker === null && !quote.isChecking && !isBusy,
  };
}

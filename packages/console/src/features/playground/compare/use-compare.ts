import { useQueries } from "@tanstack/react-query";
import type { TaskRequest } from "@zoetrope/sdk";
import { useMemo, useState } from "react";
import { useAccount } from "../../../app/session.tsx";
import { useFilters } from "../../../lib/filters.ts";
import { keepDraft, readDraft } from "../drafts.ts";
import type { Inputs } from "../form/values.ts";
import type { Model } from "../use-models.ts";
import { useSettled } from "../use-quote.ts";
import {
  type Candidate,
  candidatesOf,
  inputsFor,
  type Shared,
  sharedRange,
  sharedRatios,
} from "./text-forms.ts";

const defaults = { models: "", duration: "", ratio: "" };
const draftName = "compare";
export const modelsMax = 4;

export interface Entry {
  candidate: Candidate;
  inputs: Inputs;
  /** null: not known yet. */
  price: number | null;
  error: unknown;
}

/** Models and settings are in the URL, the prompt is kept in the browser. */
export function useCompare(models: readonly Model[]) {
  const { accountId } = useAccount().account;
  const [filters, change] = useFilters(defaults);
  const [prompt, setPromptState] = useState(() =>
    String(readDraft(accountId, draftName)["prompt"] ?? ""),
  );
  const candidates = useMemo(() => candidatesOf(models), [models]);
  const names = filters.models.split(",");
  const chosen = candidates.filter(({ model }) => names.includes(model)).slice(0, modelsMax);
  const range = sharedRange(chosen);
  const ratios = sharedRatios(chosen);
  const seconds = Number(filters.duration);
  const shared: Shared = {
    prompt,
    duration: range && seconds >= range.min && seconds <= range.max ? filters.duration : "",
    ratio: ratios.includes(filters.ratio) ? filters.ratio : "",
  };
  const { entries, isChecking } = useQuotes(chosen, shared);
  return {
    candidates,
    chosen,
    shared,
    range,
    ratios,
    entries,
    isChecking,
    setPrompt: (text: string) => {
      setPromptState(text);
      keepDraft(accountId, draftName, { prompt: text });
    },
    toggle: (model: string) => {
      const next = chosen.some((one) => one.model === model)
        ? chosen.filter((one) => one.model !== model).map((one) => one.model)
        : [...chosen.map((one) => one.model), model];
      change({ models: next.join(",") }, { replace: true });
    },
    setDuration: (duration: string) => change({ duration }, { replace: true }),
    setRatio: (ratio: string) => change({ ratio }, { replace: true }),
  };
}

/** A price does not depend on the words; an empty prompt is quoted as this one. */
const anyPrompt = "…";

/** Quotes every chosen model shortly after the last change; the price is their sum. */
function useQuotes(chosen: readonly Candidate[], shared: Shared) {
  const { account, client } = useAccount();
  const asked = { ...shared, prompt: shared.prompt.trim() === "" ? anyPrompt : shared.prompt };
  const current = JSON.stringify(
    chosen.map((one) => ({ model: one.model, inputs: inputsFor(one, asked) })),
  );
  const settled = useSettled(current);
  const requests = JSON.parse(settled) as { model: string; inputs: Inputs }[];
  const answers = useQueries({
    queries: requests.map((request) => ({
      queryKey: [account.accountId, "quote", JSON.stringify(request)],
      queryFn: ({ signal }: { signal: AbortSignal }) =>
        client.quote(request as unknown as TaskRequest, { signal }),
      gcTime: 60_000,
    })),
  });
  const entries = chosen.map((candidate): Entry => {
    const answer = answers[requests.findIndex(({ model }) => model === candidate.model)];
    return {
      candidate,
      inputs: inputsFor(candidate, shared),
      price: answer?.data?.credits ?? null,
      error: answer?.error ?? null,
    };
  });
  const isChecking = settled !== current || answers.some(({ isFetching }) => isFetching);
  return { entries, isChecking };
}

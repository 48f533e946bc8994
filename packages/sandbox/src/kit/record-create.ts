import type { Journal } from "./journal.ts";
import type { Given } from "./spoiled-answers.ts";

interface Asked {
  model?: string | undefined;
  prompt?: string | undefined;
  callbackUrl?: string | null | undefined;
  safetyIdentifier?: string | null | undefined;
  watermark?: boolean | undefined;
}

interface Outcome {
  jobId?: string;
  answer: Given;
  code?: string;
}

/** Notes a create call, whatever became of it; `asked` is what could be read of the request. */
export function recordCreate(
  journal: Journal,
  vendor: string,
  asked: Asked | undefined,
  { jobId, answer, code }: Outcome,
): void {
  journal.write({
    event: "create",
    vendor,
    jobId: jobId ?? null,
    accepted: jobId !== undefined,
    answer,
    code: code ?? null,
    model: asked?.model ?? null,
    prompt: asked?.prompt ?? null,
    callbackUrl: asked?.callbackUrl ?? null,
    safetyIdentifier: asked?.safetyIdentifier ?? null,
    watermark: asked?.watermark,
  });
}

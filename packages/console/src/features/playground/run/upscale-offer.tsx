import { Link } from "@tanstack/react-router";
import { ApiError, type GenerationTask, type TargetResolution } from "@zoetrope/sdk";
import type { ReadCreditsAnswer, Upscaler } from "@zoetrope/sdk/answers";
import { useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { useAccount } from "../../../app/session.tsx";
import { Button } from "../../../components/button.tsx";
import { ErrorPanel } from "../../../components/error-panel.tsx";
import { isPassing } from "../../../lib/client.ts";
import { formatCredits } from "../../../lib/format.ts";
import { useAction } from "../../../lib/use-action.ts";
import { useAllowance } from "../use-allowance.ts";
import { newKey } from "./start-task.ts";
import { useUpscaleQuote } from "./use-upscale-quote.ts";

type Output = NonNullable<GenerationTask["output"]>[number];

/**
 * Larger versions of a finished video, each with its price on it. The button can be pressed exactly when the
 * service would accept. Nothing where there is no larger version.
 */
export function UpscaleOffer({
  taskId: from,
  output,
  upscaler,
}: {
  taskId: string;
  output: Output;
  upscaler: Upscaler;
}) {
  const { t } = useTranslation("playground");
  const { client } = useAccount();
  const [startedId, setStartedId] = useState<string | null>(null);
  const [target, setTarget] = useState("");
  const keys = useRef(new Map<string, string>());
  const { durationSeconds } = output;
  const shortSide = Math.min(output.width, output.height);
  const targets = upscaler.targets.filter((one) => one.shortSide > shortSide);
  const chosen = targets.find(({ targetResolution }) => targetResolution === target) ?? targets[0];
  const isOffered =
    durationSeconds !== null &&
    durationSeconds <= upscaler.secondsMax &&
    output.sizeBytes <= upscaler.sizeBytesMax;
  const quoted = isOffered && chosen !== undefined ? chosen.targetResolution : null;
  const { price, error: refusal } = useUpscaleQuote(from, quoted as TargetResolution | null);
  const { allowance, allowanceError, readAgain } = useAllowance();
  const { run, isBusy, error } = useAction(async (to: string, maxCredits: number) => {
    const idempotencyKey = keys.current.get(to) ?? newKey();
    keys.current.set(to, idempotencyKey);
    const resolution = to as TargetResolution;
    const options = { maxCredits, idempotencyKey };
    const { taskId } = await client.upscales.create({ taskId: from }, resolution, options);
    keys.current.delete(to);
    setStartedId(taskId);
    readAgain();
  });
  if (!isOffered || chosen === undefined) return null;
  const isReady = price !== null && allowance !== null && fits(price, allowance);
  return (
    <div className="flex flex-col gap-2">
      <div className="flex flex-wrap items-center gap-2">
        <select
          aria-label={t("upscale.to")}
          value={chosen.targetResolution}
          onChange={(event) => setTarget(event.target.value)}
          className="h-7 rounded-md border border-line-strong bg-panel px-1.5 text-sm"
        >
          {targets.map(({ targetResolution }) => (
            <option key={targetResolution} value={targetResolution}>
              {targetResolution}
            </option>
          ))}
        </select>
        <Button
          isSmall
          isBusy={isBusy}
          disabled={!isReady}
          onClick={() => price !== null && run(chosen.targetResolution, price)}
        >
          {price === null
            ? t("upscale.unpriced")
            : t("upscale.run", { credits: formatCredits(price) })}
        </Button>
      </div>
      <div aria-live="polite" className="text-sm">
        {price !== null && allowance !== null && (
          <UpscaleBlocker price={price} allowance={allowance} />
        )}
        {(refusal ?? allowanceError) !== null && <Refusal error={refusal ?? allowanceError} />}
      </div>
      <p role="status" className="text-sm">
        {startedId !== null && (
          <>
            {t("upscale.started")}{" "}
            <Link
              to="/tasks/$taskId"
              params={{ taskId: startedId } as never}
              className="inline-block py-0.5 font-medium text-accent-strong underline"
            >
              {t("upscale.open")}
            </Link>
          </>
        )}
      </p>
      {error !== null && <ErrorPanel error={error} />}
    </div>
  );
}

function fits(price: number, { availableCredits, openTasksLeft }: ReadCreditsAnswer): boolean {
  return price <= availableCredits && openTasksLeft > 0;
}

function UpscaleBlocker({ price, allowance }: { price: number; allowance: ReadCreditsAnswer }) {
  const { t } = useTranslation("playground");
  if (fits(price, allowance)) return null;
  const { availableCredits, openTasksLeft, openTasksMax } = allowance;
  const text =
    openTasksLeft > 0
      ? t("blocked.credits", {
          price: formatCredits(price),
          available: formatCredits(availableCredits),
        })
      : t("blocked.openTasks", { max: openTasksMax });
  return <p className="text-warn">{text}</p>;
}

function Refusal({ error }: { error: unknown }) {
  return error instanceof ApiError && error.status === 400 ? (
    <p className="text-bad">{error.message}</p>
  ) : (
    <ErrorPanel error={error} isRetried={isPassing(error)} />
  );
}

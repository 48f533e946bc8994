import { useNavigate } from "@tanstack/react-router";
import type { GenerationTask, TargetResolution } from "@zoetrope/sdk";
import type { Upscaler } from "@zoetrope/sdk/answers";
import { useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { useAccount } from "../../../app/session.tsx";
import { Button } from "../../../components/button.tsx";
import { ErrorPanel } from "../../../components/error-panel.tsx";
import { tell } from "../../../components/toasts.tsx";
import { formatCredits } from "../../../lib/format.ts";
import { useAction } from "../../../lib/use-action.ts";
import { newKey } from "./start-task.ts";

type Output = NonNullable<GenerationTask["output"]>[number];

/** Larger versions of a finished video, each with its price on it. Nothing where there is none. */
export function UpscaleOffer({ output, upscaler }: { output: Output; upscaler: Upscaler }) {
  const { t } = useTranslation("playground");
  const { client } = useAccount();
  const navigate = useNavigate();
  const [target, setTarget] = useState("");
  const keys = useRef(new Map<string, string>());
  const { durationSeconds } = output;
  const shortSide = Math.min(output.width, output.height);
  const targets = upscaler.targets.filter((one) => one.shortSide > shortSide);
  const chosen = targets.find(({ targetResolution }) => targetResolution === target) ?? targets[0];
  const { run, isBusy, error } = useAction(async (to: string, maxCredits: number) => {
    const idempotencyKey = keys.current.get(to) ?? newKey();
    keys.current.set(to, idempotencyKey);
    const resolution = to as TargetResolution;
    const options = { maxCredits, idempotencyKey };
    const { taskId } = await client.upscales.create(output.url, resolution, options);
    keys.current.delete(to);
    const open = () => void navigate({ to: `/tasks/${taskId}` });
    tell(t("upscale.started"), { label: t("result.open"), onClick: open });
  });
  if (durationSeconds === null || durationSeconds > upscaler.secondsMax) return null;
  if (chosen === undefined || output.sizeBytes > upscaler.sizeBytesMax) return null;
  const seconds = Math.max(Math.ceil(durationSeconds), upscaler.secondsBilledMin);
  const credits = seconds * chosen.creditsPerSecond;
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
        <Button isSmall isBusy={isBusy} onClick={() => run(chosen.targetResolution, credits)}>
          {t("upscale.run", { credits: formatCredits(credits) })}
        </Button>
      </div>
      {error !== null && <ErrorPanel error={error} />}
    </div>
  );
}

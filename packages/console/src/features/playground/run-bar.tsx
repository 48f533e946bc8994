import { Link } from "@tanstack/react-router";
import { ApiError } from "@zoetrope/sdk";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { Button, buttonClass } from "../../components/button.tsx";
import { ErrorPanel } from "../../components/error-panel.tsx";
import { isPassing } from "../../lib/client.ts";
import { formatCredits } from "../../lib/format.ts";

/** Why the button cannot be pressed, and where to go on. */
export type RunBlocker =
  | { kind: "text"; text: string }
  | { kind: "credits"; price: number; available: number }
  | { kind: "openTasks"; max: number }
  | { kind: "error"; error: unknown };

interface Props {
  label: string;
  price: number | null;
  blocker: RunBlocker | null;
  /** The service is being asked whether it would accept. */
  isChecking: boolean;
  isBusy: boolean;
  /** The error of the last press. */
  error: unknown;
  onRun(): void;
  children?: ReactNode;
}

/** The button with its price. It can be pressed exactly when the service would accept. */
export function RunBar(props: Props) {
  const { label, price, blocker, isChecking, isBusy, error, onRun, children } = props;
  const { t } = useTranslation("playground");
  const isReady = blocker === null && price !== null;
  return (
    <div className="flex flex-col gap-2">
      {error !== null && <ErrorPanel error={error} onRetry={isReady ? onRun : undefined} />}
      <div className="flex flex-wrap items-center gap-3">
        <Button
          variant="primary"
          type="submit"
          isBusy={isBusy}
          disabled={!isReady || isChecking}
          className={isReady && isChecking && !isBusy ? "disabled:opacity-100" : ""}
        >
          {price === null ? label : `${label} · ${t("credits", { credits: formatCredits(price) })}`}
        </Button>
        {children}
      </div>
      <div aria-live="polite" className="min-h-6 text-sm">
        {blocker !== null && !isChecking && <Reason blocker={blocker} />}
      </div>
    </div>
  );
}

function Reason({ blocker }: { blocker: RunBlocker }) {
  const { t } = useTranslation("playground");
  const { t: frame } = useTranslation();
  switch (blocker.kind) {
    case "text":
      return <p className="text-muted">{blocker.text}</p>;
    case "credits":
      return (
        <p className="flex flex-wrap items-center gap-2 text-warn">
          {t("blocked.credits", {
            price: formatCredits(blocker.price),
            available: formatCredits(blocker.available),
          })}
          <Link to={"/usage" as never} className={buttonClass("plain", true)}>
            {frame("pages.usage")}
          </Link>
        </p>
      );
    case "openTasks":
      return (
        <p className="flex flex-wrap items-center gap-2 text-warn">
          {t("blocked.openTasks", { max: blocker.max })}
          <Link to={"/gallery" as never} className={buttonClass("plain", true)}>
            {frame("pages.gallery")}
          </Link>
        </p>
      );
    case "error":
      return blocker.error instanceof ApiError && blocker.error.status === 400 ? (
        <p className="text-bad">{blocker.error.message}</p>
      ) : (
        <ErrorPanel error={blocker.error} isRetried={isPassing(blocker.error)} />
      );
  }
}

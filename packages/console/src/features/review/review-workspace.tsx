import { useQuery } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../components/button.tsx";
import { ErrorPanel } from "../../components/error-panel.tsx";
import { Empty, Skeleton } from "../../components/panel.tsx";
import type { Reason } from "./calls.ts";
import { claimMore } from "./claims.ts";
import { DecisionPanel } from "./decision-panel.tsx";
import { decide, skip, undo } from "./decisions.ts";
import { Details } from "./details.tsx";
import { HelpLine } from "./help-line.tsx";
import type { Command } from "./keys.ts";
import { control } from "./player.ts";
import { QueueHead } from "./queue-head.tsx";
import { reasonsQuery } from "./reasons-query.ts";
import { RefuseDialog } from "./refuse-dialog.tsx";
import { type ReviewStore, shownItem } from "./review-store.ts";
import { Stage } from "./stage.tsx";
import { useKeys } from "./use-keys.ts";
import { useReviewStore } from "./use-review-store.ts";

interface Asking {
  assetId: number;
  reason: Reason;
}

/** One asset at a time, by keyboard. */
export function ReviewWorkspace() {
  const { t } = useTranslation("review");
  const { store, state } = useReviewStore();
  const reasons = useReasons();
  const player = useRef<HTMLMediaElement | null>(null);
  const workspace = useRef<HTMLDivElement>(null);
  const [isZoomed, setZoomed] = useState(false);
  const [asking, setAsking] = useState<Asking | null>(null);
  const run = (command: Command): boolean => {
    if (command.kind === "undo") void undo(store);
    else if (command.kind === "zoom") setZoomed((before) => !before);
    else if (!control(player.current, command))
      return judge(store, command, reasons.list, setAsking);
    return true;
  };
  const keys = useKeys(run);
  // A button that stays focused would be pressed again by Space, on the next asset.
  const runFromButton = (command: Command) => {
    workspace.current?.focus();
    run(command);
  };
  const [item] = state.items;
  const canUndo = state.decided.length > 0 && !state.isUndoing;
  return (
    <>
      <QueueHead state={state} />
      {state.error !== null && (
        <ErrorPanel error={state.error} onRetry={() => void claimMore(store)} />
      )}
      {reasons.error !== null && <ErrorPanel error={reasons.error} onRetry={reasons.retry} />}
      {item === undefined ? (
        <Nothing store={store} isLoading={state.isClaiming} canUndo={canUndo} />
      ) : (
        <div
          ref={workspace}
          tabIndex={-1}
          className="grid gap-4 outline-none lg:grid-cols-[minmax(0,1fr)_22rem]"
        >
          <div className="flex min-w-0 flex-col gap-2">
            <Stage {...{ store, state, isZoomed, player, isReady: reasons.isReady }} />
            <HelpLine type={item.type} {...keys} />
          </div>
          <div className="flex min-w-0 flex-col gap-4 lg:max-h-[calc(100vh-11rem)] lg:overflow-auto lg:p-1">
            <DecisionPanel reasons={reasons.list} canUndo={canUndo} onCommand={runFromButton} />
            <Details item={item} />
          </div>
        </div>
      )}
      <p role="status" className="sr-only">
        {item !== undefined &&
          t("nowShown", { id: item.assetId, type: t(`type.${item.type}`), name: item.name ?? "" })}
      </p>
      {asking !== null && (
        <RefuseDialog
          {...asking}
          onClose={() => setAsking(null)}
          onRefuse={(text) => {
            setAsking(null);
            decide(store, asking.assetId, { verdict: "refuse", code: asking.reason.code, text });
          }}
        />
      )}
    </>
  );
}

function useReasons() {
  const { data, error, refetch } = useQuery(reasonsQuery);
  const isReady = data !== undefined || error !== null; // without reasons one can still approve
  return { list: data?.reasons ?? [], isReady, error, retry: () => void refetch() };
}

/** Acts on what is on screen, if it is. Returns whether the command is one of a decision. */
function judge(
  store: ReviewStore,
  command: Command,
  reasons: readonly Reason[],
  ask: (asking: Asking) => void,
): boolean {
  const assetId = shownItem(store.getState())?.assetId;
  const { kind } = command;
  if (kind !== "approve" && kind !== "skip" && kind !== "refuse") return false;
  if (assetId === undefined) return true; // too early: it is not on screen yet
  if (kind === "approve") decide(store, assetId, { verdict: "approve" });
  if (kind === "skip") skip(store, assetId);
  if (kind !== "refuse") return true;
  const reason = reasons[command.at];
  if (reason === undefined) return true;
  if (reason.needsText || reason.isAtOnce || command.withText) ask({ assetId, reason });
  else decide(store, assetId, { verdict: "refuse", code: reason.code, text: null });
  return true;
}

interface NothingProps {
  store: ReviewStore;
  isLoading: boolean;
  canUndo: boolean;
}

function Nothing({ store, isLoading, canUndo }: NothingProps) {
  const { t } = useTranslation("review");
  if (isLoading) return <Skeleton className="h-[55vh]" />;
  return (
    <Empty title={t("empty")}>
      <p>{t("emptyAbout")}</p>
      <div className="mt-3 flex justify-center gap-2">
        <Button variant="primary" onClick={() => void claimMore(store)}>
          {t("lookAgain")}
        </Button>
        {canUndo && <Button onClick={() => void undo(store)}>{t("undo")}</Button>}
      </div>
    </Empty>
  );
}

import type { DropStuckRowAnswer, RetryStuckRowsAnswer, StuckRow } from "@zoetrope/sdk/admin";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Badge } from "../../components/badge.tsx";
import { Button } from "../../components/button.tsx";
import { Confirm } from "../../components/confirm.tsx";
import { Table } from "../../components/table.tsx";
import { Time } from "../../components/time.tsx";
import { toast } from "../../components/toasts.tsx";
import { client, post, queryClient } from "../../lib/client.ts";
import { formatNumber } from "../../lib/format.ts";
import { AccountLink } from "./facts.tsx";
import { useIsOperator } from "./for-staff.tsx";
import { admin, stuckQuery } from "./queries.ts";

const reread = () => queryClient.invalidateQueries({ queryKey: stuckQuery.queryKey });

/** One row, or with no key all of a loop. */
export async function retryRows(loop: string, key?: string): Promise<number> {
  const path = `${admin}/stuck-rows/retry`;
  const { retried } = await post<RetryStuckRowsAnswer>(client, path, { loop, key });
  await reread();
  return retried;
}

/** Returns the effect of abandoning a row, which depends on the loop that fails on it. */
function effectOf(loop: string) {
  if (loop === "expire tasks" || loop === "work segments" || loop.startsWith("poll "))
    return "task";
  if (loop === "deliveries") return "delivery";
  if (loop === "collect objects") return "object";
  return loop === "sweep upscales" ? "upscale" : "other";
}

export function StuckTable({ rows }: { rows: readonly StuckRow[] }) {
  const { t } = useTranslation(["operations", "frame"]);
  const isOperator = useIsOperator();
  return (
    <Table
      label={t("frame:pages.stuck")}
      rows={rows}
      keyOf={({ loop, key }) => `${loop} ${key}`}
      columns={[
        {
          title: t("operations:stuck.row"),
          cell: ({ loop, key }) => (
            <span className="block max-w-72 min-w-40">
              {loop}
              <bdi className="block font-mono text-sm break-all text-muted">{key}</bdi>
            </span>
          ),
        },
        {
          title: t("operations:state"),
          cell: ({ parkedAt }) => (
            <Badge tone={parkedAt === null ? "warn" : "bad"}>
              {t(parkedAt === null ? "operations:stuck.retried" : "operations:stuck.parked")}
            </Badge>
          ),
        },
        {
          title: t("frame:account"),
          cell: ({ accountId }) =>
            accountId === null ? "–" : <AccountLink accountId={accountId} />,
        },
        {
          title: t("operations:stuck.failures"),
          isNumber: true,
          cell: ({ failures }) => formatNumber(failures),
        },
        { title: t("operations:since"), cell: ({ since }) => <Time ms={since} /> },
        {
          title: t("operations:reason"),
          cell: ({ reason }) => (
            <span dir="auto" className="block max-w-96 min-w-48 font-mono text-sm break-words">
              {reason}
            </span>
          ),
        },
        ...(isOperator
          ? [
              {
                title: t("operations:actions"),
                cell: (row: StuckRow) => <RowActions row={row} />,
              },
            ]
          : []),
      ]}
    />
  );
}

function RowActions({ row: { loop, key } }: { row: StuckRow }) {
  const { t } = useTranslation("operations");
  const [open, setOpen] = useState<"retry" | "drop" | null>(null);
  const close = () => setOpen(null);
  return (
    <div className="flex gap-2">
      <Button isSmall onClick={() => setOpen("retry")}>
        {t("stuck.retry")}
      </Button>
      <Button isSmall variant="danger" onClick={() => setOpen("drop")}>
        {t("stuck.drop")}
      </Button>
      <Confirm
        title={t("stuck.retryTitle")}
        effect={t("stuck.retryEffect")}
        action={t("stuck.retry")}
        variant="primary"
        isOpen={open === "retry"}
        onClose={close}
        onConfirm={async () => {
          const number = await retryRows(loop, key);
          toast(t("stuck.retryDone", { number }));
        }}
      />
      <Confirm
        title={t("stuck.dropTitle")}
        effect={
          <>
            <p>{t(`stuck.effect.${effectOf(loop)}`)}</p>
            <p className="mt-2 font-mono text-sm break-all text-muted">{key}</p>
          </>
        }
        action={t("stuck.drop")}
        isOpen={open === "drop"}
        onClose={close}
        onConfirm={async () => {
          await post<DropStuckRowAnswer>(client, `${admin}/stuck-rows/drop`, { loop, key });
          toast(t("stuck.dropDone"));
          await reread();
        }}
      />
    </div>
  );
}

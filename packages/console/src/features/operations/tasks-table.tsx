import type { StaffTask } from "@zoetrope/sdk/admin";
import { useTranslation } from "react-i18next";
import { Badge, type Tone } from "../../components/badge.tsx";
import { Button } from "../../components/button.tsx";
import { Table } from "../../components/table.tsx";
import { Time } from "../../components/time.tsx";
import { formatCredits } from "../../lib/format.ts";
import { modelTitle } from "../../lib/model-title.ts";
import { AccountLink } from "./facts.tsx";

const tones: Record<StaffTask["status"], Tone> = {
  PENDING: "neutral",
  PROCESSING: "accent",
  COMPLETED: "good",
  FAILED: "bad",
};

interface Props {
  tasks: readonly StaffTask[];
  onOpen(taskId: string): void;
}

export function TasksTable({ tasks, onOpen }: Props) {
  const { t } = useTranslation(["operations", "frame"]);
  return (
    <Table
      label={t("frame:pages.tasks")}
      rows={tasks}
      keyOf={({ taskId }) => taskId}
      columns={[
        {
          title: t("operations:tasks.task"),
          cell: ({ taskId }) => (
            <Button isSmall variant="quiet" title={taskId} onClick={() => onOpen(taskId)}>
              <span className="font-mono underline">…{taskId.slice(-12)}</span>
            </Button>
          ),
        },
        {
          title: t("operations:state"),
          cell: ({ status, errorCode }) => (
            <span className="flex flex-wrap gap-1">
              <Badge tone={tones[status]}>{t(`operations:taskStatus.${status}`)}</Badge>
              {errorCode !== null && <span className="font-mono text-sm">{errorCode}</span>}
            </span>
          ),
        },
        {
          title: t("operations:tasks.model"),
          cell: ({ model }) => modelTitle(model),
          isShort: true,
        },
        {
          title: t("frame:account"),
          cell: ({ accountId }) => <AccountLink accountId={accountId} />,
        },
        {
          title: t("operations:tasks.vendor"),
          cell: ({ vendorAccount }) => vendorAccount ?? "–",
        },
        {
          title: t("operations:credits"),
          isNumber: true,
          cell: ({ credits }) => formatCredits(credits),
        },
        { title: t("operations:created"), cell: ({ createdAt }) => <Time ms={createdAt} /> },
      ]}
    />
  );
}

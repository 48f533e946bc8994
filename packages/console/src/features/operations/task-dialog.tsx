import { useQuery } from "@tanstack/react-query";
import type { StaffTask } from "@zoetrope/sdk/admin";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Notice } from "../../components/badge.tsx";
import { Button } from "../../components/button.tsx";
import { Code } from "../../components/copy-button.tsx";
import { Dialog } from "../../components/dialog.tsx";
import { Time } from "../../components/time.tsx";
import { toast } from "../../components/toasts.tsx";
import { client, post, queryClient } from "../../lib/client.ts";
import { formatCredits } from "../../lib/format.ts";
import { modelTitle } from "../../lib/model-title.ts";
import { AccountLink, Facts } from "./facts.tsx";
import { useIsOperator } from "./for-staff.tsx";
import { Loaded } from "./loaded.tsx";
import { admin, timelineQuery } from "./queries.ts";
import { ReasonDialog } from "./reason-dialog.tsx";
import { StaffTimeline } from "./staff-timeline.tsx";

interface Props {
  taskId: string;
  /** The task as the list has it; undefined if the list does not have it. */
  task: StaffTask | undefined;
  onClose(): void;
}

export function TaskDialog({ taskId, task, onClose }: Props) {
  const { t } = useTranslation("operations");
  const timeline = useQuery(timelineQuery(taskId));
  const isOperator = useIsOperator();
  const [isEnding, setEnding] = useState(false);
  return (
    <>
      <Dialog title={t("tasks.title")} isOpen isWide onClose={onClose}>
        <Code>{taskId}</Code>
        {task !== undefined && <TaskFacts task={task} />}
        <Loaded query={timeline} className="h-64">
          {(data) => <StaffTimeline timeline={data} />}
        </Loaded>
        {isOperator && task !== undefined && task.running !== null && (
          <div className="flex justify-end">
            <Button variant="danger" onClick={() => setEnding(true)}>
              {t("tasks.fail")}
            </Button>
          </div>
        )}
      </Dialog>
      {isEnding && (
        <ReasonDialog
          title={t("tasks.failTitle")}
          effect={t("tasks.failEffect", { credits: formatCredits(task?.credits ?? 0) })}
          action={t("tasks.fail")}
          variant="danger"
          onClose={() => setEnding(false)}
          onConfirm={async (reason) => {
            await post(client, `${admin}/tasks/${encodeURIComponent(taskId)}/fail`, { reason });
            toast(t("tasks.failDone"));
            await queryClient.invalidateQueries({ queryKey: ["admin", "tasks"] });
            await timeline.refetch();
          }}
        />
      )}
    </>
  );
}

function TaskFacts({ task }: { task: StaffTask }) {
  const { t } = useTranslation(["operations", "frame"]);
  const { running, errorMessage } = task;
  return (
    <>
      {errorMessage !== null && (
        <Notice tone="bad">
          <span dir="auto">{errorMessage}</span>
        </Notice>
      )}
      <Facts
        facts={[
          [t("operations:state"), t(`operations:taskStatus.${task.status}`)],
          [t("operations:tasks.model"), modelTitle(task.model)],
          [t("operations:credits"), formatCredits(task.credits)],
          [t("frame:account"), <AccountLink key="account" accountId={task.accountId} />],
          [t("operations:created"), <Time key="created" ms={task.createdAt} />],
          [
            t("operations:tasks.deadline"),
            running === null ? "–" : <Time key="deadline" ms={running.deadlineAt} />,
          ],
          [t("operations:tasks.vendor"), task.vendorAccount ?? "–"],
          [t("operations:tasks.job"), running?.vendorJobId ?? "–"],
          [t("operations:tasks.steps"), running === null ? "–" : String(running.steps)],
        ]}
      />
    </>
  );
}

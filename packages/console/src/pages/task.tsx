import { useParams } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { Badge } from "../components/badge.tsx";
import { Page } from "../components/panel.tsx";
import { factsOf, toneOf } from "../features/gallery/item.ts";
import { TaskView } from "../features/task/task-view.tsx";
import { useTask } from "../features/task/use-task.ts";
import { modelTitle } from "../lib/model-title.ts";

export function TaskPage() {
  const { t } = useTranslation("gallery");
  const { t: frame } = useTranslation();
  const { taskId = "" } = useParams({ strict: false }) as { taskId?: string };
  const reads = useTask(taskId);
  const task = reads.task.data ?? null;
  const status = task === null ? null : factsOf(task).status;
  return (
    <Page
      title={
        task === null ? frame("pages.task") : `${frame("pages.task")} · ${modelTitle(task.model)}`
      }
      actions={
        status !== null && (
          <span aria-live="polite">
            <Badge tone={toneOf[status]}>{t(`status.${status}`)}</Badge>
          </span>
        )
      }
    >
      <TaskView key={taskId} {...reads} />
    </Page>
  );
}

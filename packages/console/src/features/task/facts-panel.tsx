import { Link } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { Code, CopyButton } from "../../components/copy-button.tsx";
import { Panel } from "../../components/panel.tsx";
import { Time } from "../../components/time.tsx";
import { formatSeconds } from "../../lib/format.ts";
import { modelTitle } from "../../lib/model-title.ts";
import { factsOf, type Task } from "../gallery/item.ts";
import { Line } from "./inputs-panel.tsx";

export function FactsPanel({ task }: { task: Task }) {
  const { t } = useTranslation("gallery");
  const { createdAt, endedAt } = factsOf(task);
  const notes = task.kind === "generation" ? (task.notes ?? []) : [];
  return (
    <Panel title={t("task.facts")}>
      <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-1.5">
        <Line name={t("task.id")}>
          <span className="flex flex-wrap items-center gap-2">
            <Code>{task.taskId}</Code>
            <CopyButton text={task.taskId} />
          </span>
        </Line>
        <Line name={t("task.kind")}>{t(`kind.${task.kind}`)}</Line>
        <Line name={t("task.model")}>{modelTitle(task.model)}</Line>
        <Line name={t("task.created")}>
          <Time ms={createdAt} />
        </Line>
        {endedAt !== null && (
          <Line name={t("task.took")}>{formatSeconds((endedAt - createdAt) / 1000)}</Line>
        )}
        <Line name={t("task.key")}>
          {task.keyId === null ? (
            t("task.byConsole")
          ) : (
            <Link
              to={"/gallery" as never}
              search={{ key: task.keyId } as never}
              className="text-accent-strong underline"
            >
              {t("task.keyTasks")}
            </Link>
          )}
        </Line>
        {notes.length > 0 && (
          <Line name={t("task.notes")}>
            {notes.map(({ param, message }) => (
              <p key={param}>{message}</p>
            ))}
          </Line>
        )}
      </dl>
    </Panel>
  );
}

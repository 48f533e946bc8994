import { useTranslation } from "react-i18next";
import { Code } from "../../components/copy-button.tsx";
import { factsOf, type Task } from "../gallery/item.ts";
import { RunAgain } from "./run-again.tsx";
import type { TaskRequest } from "./use-task.ts";

/** An error's sentence, its code, that it cost nothing, and the next step. */
export function Failure({ task, request }: { task: Task; request: TaskRequest | undefined }) {
  const { t } = useTranslation("gallery");
  const { error } = factsOf(task);
  if (error === null) return null;
  return (
    <div role="alert" className="flex flex-col gap-2 rounded-md border border-bad bg-bad-soft p-3">
      <h2 className="font-semibold">{t("failure.title")}</h2>
      <p dir="auto">{error.message}</p>
      <p>{t("failure.free")}</p>
      <p className="text-sm">
        {t("failure.code")} <Code>{error.code}</Code>
      </p>
      <RunAgain task={task} request={request} />
    </div>
  );
}

import { Link } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { useAccount } from "../../app/session.tsx";
import { buttonClass } from "../../components/button.tsx";
import { Icon } from "../../components/icon.tsx";
import type { Task } from "../gallery/item.ts";
import type { TaskRequest } from "./use-task.ts";

/** Leads to the form, filled in. Nothing is run by itself. */
export function RunAgain({ task, request }: { task: Task; request: TaskRequest | undefined }) {
  const { t } = useTranslation("gallery");
  const { account } = useAccount();
  if (account.role === "viewer" || task.kind !== "generation") return null;
  if (request?.inputs === null) return <p className="text-sm">{t("task.againMissing")}</p>;
  return (
    <Link
      to={"/playground" as never}
      search={{ again: task.taskId } as never}
      className={`${buttonClass()} self-start`}
    >
      <Icon name="again" />
      {t("task.again")}
    </Link>
  );
}

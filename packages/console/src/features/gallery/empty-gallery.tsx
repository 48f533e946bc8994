import { Link } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { useAccount } from "../../app/session.tsx";
import { Button, buttonClass } from "../../components/button.tsx";
import { Empty } from "../../components/panel.tsx";
import { formatTime } from "../../lib/format.ts";
import { defaults, type Filters, hasFilters, timeOfId } from "./filters.ts";
import type { useTasks } from "./use-tasks.ts";

interface Props {
  filters: Filters;
  query: ReturnType<typeof useTasks>["query"];
  onChange(change: Partial<Filters>): void;
}

/** No task yet, none that matches, or none found so far. */
export function EmptyGallery({ filters, query, onChange }: Props) {
  const { t } = useTranslation("gallery");
  const { account } = useAccount();
  const cursor = query.data?.pages.at(-1)?.nextCursor ?? null;
  if (!hasFilters(filters))
    return (
      <Empty title={t("empty.title")}>
        <p className="mb-3">{t("empty.about")}</p>
        {account.role !== "viewer" && (
          <Link to={"/playground" as never} className={buttonClass("primary")}>
            {t("empty.action")}
          </Link>
        )}
      </Empty>
    );
  return (
    <Empty title={t("empty.filtered")}>
      {cursor !== null && (
        <p className="mb-3">{t("searched", { time: formatTime(timeOfId(cursor)) })}</p>
      )}
      <div className="flex flex-wrap justify-center gap-2">
        {cursor !== null && (
          <Button isBusy={query.isFetching} onClick={() => void query.fetchNextPage()}>
            {t("goOn")}
          </Button>
        )}
        <Button onClick={() => onChange({ ...defaults })}>{t("filters.reset")}</Button>
      </div>
    </Empty>
  );
}

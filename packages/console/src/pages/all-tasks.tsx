import { useInfiniteQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { SelectField } from "../components/field.tsx";
import { Empty, Page } from "../components/panel.tsx";
import { LoadedPages } from "../features/operations/loaded.tsx";
import { type TaskSearch, tasksQuery } from "../features/operations/queries.ts";
import { SearchForm } from "../features/operations/search-form.tsx";
import { TaskDialog } from "../features/operations/task-dialog.tsx";
import { TasksTable } from "../features/operations/tasks-table.tsx";
import { useFilters } from "../lib/filters.ts";
import { isId } from "../lib/is-id.ts";

const defaults = { by: "taskId", q: "", open: "" };
const ways = ["taskId", "accountId", "vendorJobId"] as const;

export function AllTasksPage() {
  const { t } = useTranslation(["operations", "frame"]);
  const [{ by: named, q, open }, change] = useFilters(defaults);
  const by: TaskSearch = ways.find((way) => way === named) ?? "taskId";
  const isPart = q !== "" && by !== "vendorJobId" && !isId(q);
  const isSearched = q !== "" && !isPart;
  const query = useInfiniteQuery({ ...tasksQuery(by, q), enabled: isSearched });
  const found = query.data?.pages.flatMap(({ items }) => items) ?? [];
  return (
    <Page title={t("frame:pages.tasks")} about={t("operations:tasks.about")}>
      <SearchForm
        key={`${by} ${q}`}
        label={t(`operations:tasks.by.${by}`)}
        text={q}
        onSearch={(text) => change({ q: text, open: "" })}
      >
        <SelectField
          label={t("operations:tasks.searchBy")}
          value={by}
          onChange={(event) => change({ by: event.target.value, q: "", open: "" })}
        >
          {ways.map((way) => (
            <option key={way} value={way}>
              {t(`operations:tasks.by.${way}`)}
            </option>
          ))}
        </SelectField>
      </SearchForm>
      {!isSearched ? (
        <Empty title={isPart ? t("frame:wholeId") : t("operations:tasks.start")} />
      ) : (
        <LoadedPages query={query} empty={<Empty title={t("operations:tasks.none")} />}>
          {(tasks) => <TasksTable tasks={tasks} onOpen={(taskId) => change({ open: taskId })} />}
        </LoadedPages>
      )}
      {open !== "" && (
        <TaskDialog
          taskId={open}
          task={found.find(({ taskId }) => taskId === open)}
          onClose={() => change({ open: "" })}
        />
      )}
    </Page>
  );
}

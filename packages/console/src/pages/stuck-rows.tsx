import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../components/button.tsx";
import { Confirm } from "../components/confirm.tsx";
import { SelectField } from "../components/field.tsx";
import { Empty, Page } from "../components/panel.tsx";
import { toast } from "../components/toasts.tsx";
import { useIsOperator } from "../features/operations/for-staff.tsx";
import { Loaded, ReadAgain } from "../features/operations/loaded.tsx";
import { stuckQuery } from "../features/operations/queries.ts";
import { retryRows, StuckTable } from "../features/operations/stuck-table.tsx";
import { useFilters } from "../lib/filters.ts";

const defaults = { loop: "" };

export function StuckRowsPage() {
  const { t } = useTranslation(["operations", "frame"]);
  const [{ loop }, change] = useFilters(defaults);
  const rows = useQuery(stuckQuery);
  const isOperator = useIsOperator();
  return (
    <Page
      title={t("frame:pages.stuck")}
      about={t("operations:stuck.about")}
      actions={<ReadAgain queries={[rows]} />}
    >
      <Loaded query={rows} className="h-96">
        {({ items }) => {
          const shown = items.filter((row) => loop === "" || row.loop === loop);
          const loops = [...new Set([...items.map((row) => row.loop), loop])].filter(Boolean);
          return (
            <>
              {loops.length > 0 && (
                <div className="flex flex-wrap items-end gap-3">
                  <SelectField
                    label={t("operations:stuck.loop")}
                    value={loop}
                    onChange={(event) => change({ loop: event.target.value })}
                  >
                    <option value="">{t("operations:stuck.allLoops")}</option>
                    {loops.sort().map((one) => (
                      <option key={one} value={one}>
                        {one}
                      </option>
                    ))}
                  </SelectField>
                  {isOperator && loop !== "" && shown.length > 0 && (
                    <RetryLoop loop={loop} count={shown.length} />
                  )}
                </div>
              )}
              {shown.length === 0 ? (
                <Empty title={t("operations:stuck.none")} />
              ) : (
                <StuckTable rows={shown} />
              )}
            </>
          );
        }}
      </Loaded>
    </Page>
  );
}

function RetryLoop({ loop, count }: { loop: string; count: number }) {
  const { t } = useTranslation("operations");
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button onClick={() => setOpen(true)}>{t("stuck.retryAll", { number: count })}</Button>
      <Confirm
        title={t("stuck.retryAllTitle", { loop })}
        effect={t("stuck.retryAllEffect")}
        action={t("stuck.retryAll", { number: count })}
        variant="primary"
        isOpen={isOpen}
        onClose={() => setOpen(false)}
        onConfirm={async () => {
          const number = await retryRows(loop);
          toast(t("stuck.retryDone", { number }));
        }}
      />
    </>
  );
}

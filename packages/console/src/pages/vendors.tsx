import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { Empty, Page, Panel } from "../components/panel.tsx";
import { AddVendor } from "../features/operations/add-vendor.tsx";
import { isUsable } from "../features/operations/find-problems.ts";
import { useIsOperator } from "../features/operations/for-staff.tsx";
import { Loaded, ReadAgain } from "../features/operations/loaded.tsx";
import { vendorsQuery } from "../features/operations/queries.ts";
import { VendorCard } from "../features/operations/vendor-card.tsx";

export function VendorsPage() {
  const { t } = useTranslation(["operations", "frame"]);
  const vendors = useQuery(vendorsQuery);
  const isOperator = useIsOperator();
  return (
    <Page
      title={t("frame:pages.vendors")}
      about={t("operations:vendors.about")}
      actions={<ReadAgain queries={[vendors]} />}
    >
      <Loaded query={vendors} className="h-96">
        {({ items }) =>
          items.length === 0 ? (
            <Empty title={t("operations:vendors.none")} />
          ) : (
            <div className="grid gap-4 xl:grid-cols-2">
              {items
                .toSorted((one, other) => Number(isUsable(one)) - Number(isUsable(other)))
                .map((vendor) => (
                  <VendorCard key={vendor.name} vendor={vendor} />
                ))}
            </div>
          )
        }
      </Loaded>
      {isOperator && (
        <Panel title={t("operations:vendors.add")}>
          <AddVendor />
        </Panel>
      )}
    </Page>
  );
}

import type { UseQueryResult } from "@tanstack/react-query";
import type { ListVendorAccountsAnswer } from "@zoetrope/sdk/admin";
import { useTranslation } from "react-i18next";
import { Badge } from "../../components/badge.tsx";
import { AddVendor } from "../operations/add-vendor.tsx";
import { Loaded } from "../operations/loaded.tsx";
import { Step } from "./step.tsx";

/** The sandbox counts: nothing else is needed for the first video. */
export function VendorStep({ vendors }: { vendors: UseQueryResult<ListVendorAccountsAnswer> }) {
  const { t } = useTranslation("start");
  const usable = vendors.data?.items.filter(({ state }) => state === "open") ?? [];
  return (
    <Step
      title={t("vendor.title")}
      about={t("vendor.about")}
      isDone={vendors.data === undefined ? null : usable.length > 0}
    >
      <Loaded query={vendors} className="h-16">
        {({ items }) => (
          <>
            {items.length > 0 && (
              <ul className="mb-3 flex flex-wrap gap-2" aria-label={t("vendor.accounts")}>
                {items.map(({ name, isTest }) => (
                  <li key={name}>
                    <Badge>
                      {name} · {t(isTest ? "vendor.test" : "vendor.live")}
                    </Badge>
                  </li>
                ))}
              </ul>
            )}
            <details open={items.length === 0}>
              <summary className="py-1 font-medium">{t("vendor.add")}</summary>
              <div className="mt-2">
                <AddVendor />
              </div>
            </details>
          </>
        )}
      </Loaded>
    </Step>
  );
}

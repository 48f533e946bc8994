import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { ErrorPanel } from "../../components/error-panel.tsx";
import { Empty, Skeleton } from "../../components/panel.tsx";
import { type Catalogue, type Model, useModels } from "./use-models.ts";

interface Offer {
  models: readonly [Model, ...Model[]];
  upscaler: Catalogue["upscaler"];
}

/** Renders its children once the models are loaded. */
export function WithModels({ children }: { children(offer: Offer): ReactNode }) {
  const { t } = useTranslation("playground");
  const { data, error, refetch } = useModels();
  if (error !== null) return <ErrorPanel error={error} onRetry={() => void refetch()} />;
  if (data === undefined)
    return (
      <div className="grid gap-4 lg:grid-cols-[minmax(0,5fr)_minmax(0,6fr)]">
        <Skeleton className="h-160" />
        <Skeleton className="h-96" />
      </div>
    );
  const [first, ...others] = data.models;
  if (first === undefined) return <Empty title={t("noModels")} />;
  return children({ models: [first, ...others], upscaler: data.upscaler });
}

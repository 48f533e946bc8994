import { useQuery } from "@tanstack/react-query";
import type { ListModelsAnswer } from "@zoetrope/sdk/answers";
import { useTranslation } from "react-i18next";
import { useAccount } from "../app/session.tsx";
import { Notice } from "../components/badge.tsx";
import { Page, Panel } from "../components/panel.tsx";
import { Table } from "../components/table.tsx";
import { Loaded } from "../features/operations/loaded.tsx";
import { PriceChange } from "../features/prices/price-change.tsx";
import { rateName } from "../features/prices/rate-name.ts";
import { currentLanguage } from "../i18n/language.ts";
import { formatCredits, formatNumber, formatTime } from "../lib/format.ts";
import { modelTitle } from "../lib/model-title.ts";

/** What the account pays, its discount, and what changes when. */
export function PricesPage() {
  const { t } = useTranslation(["prices", "frame"]);
  const { account, client } = useAccount();
  const query = useQuery({
    queryKey: [account.accountId, "prices", currentLanguage()],
    queryFn: ({ signal }) =>
      client.request<ListModelsAnswer>({ method: "GET", path: "/api/v1/models", signal }),
    staleTime: 0,
  });
  return (
    <Page title={t("frame:pages.prices")} about={t("prices:own.about")}>
      <Loaded query={query} className="h-[40rem]">
        {(models) => (
          <>
            <Discount prices={models.prices} />
            <Announced prices={models.prices} />
            <Table
              label={t("prices:rates")}
              rows={ratesOf(models)}
              keyOf={({ model, key }) => `${model} ${key}`}
              columns={[
                {
                  title: t("prices:model"),
                  cell: ({ model }) => <span className="font-medium">{modelTitle(model)}</span>,
                },
                { title: t("prices:what"), cell: ({ model, key }) => rateName(t, model, key) },
                {
                  title: t("prices:own.credits"),
                  isNumber: true,
                  cell: ({ credits, unit }) => (
                    <>
                      {formatCredits(credits)}{" "}
                      <span className="text-sm text-muted">{t(`prices:own.${unit}`)}</span>
                    </>
                  ),
                },
              ]}
            />
          </>
        )}
      </Loaded>
    </Page>
  );
}

type Prices = ListModelsAnswer["prices"];

function Discount({ prices: { discount } }: { prices: Prices }) {
  const { t } = useTranslation("prices");
  if (discount === null) return null;
  const percent = formatNumber(discount.basisPoints / 100);
  return (
    <Notice tone="good">{t("own.discount", { percent, time: formatTime(discount.until) })}</Notice>
  );
}

function Announced({ prices: { change } }: { prices: Prices }) {
  const { t } = useTranslation("prices");
  if (change === null) return null;
  return (
    <Panel title={t("own.changeTitle", { time: formatTime(change.validFrom) })}>
      <p className="mb-3 text-muted">
        {t(change.rates.length === 0 ? "own.noChange" : "own.changeAbout")}
      </p>
      {change.rates.length > 0 && (
        <Table
          label={t("change")}
          rows={change.rates}
          keyOf={({ model, rate }) => `${model} ${rate}`}
          columns={[
            {
              title: t("model"),
              cell: ({ model }) => <span className="font-medium">{modelTitle(model)}</span>,
            },
            { title: t("what"), cell: ({ model, rate }) => rateName(t, model, rate) },
            { title: t("own.current"), isNumber: true, cell: ({ before }) => shown(before) },
            { title: t("own.later"), isNumber: true, cell: ({ after }) => shown(after) },
            {
              title: t("change"),
              isNumber: true,
              cell: ({ before, after }) => <PriceChange before={before} after={after} />,
            },
          ]}
        />
      )}
    </Panel>
  );
}

function shown(credits: number | null): string {
  return credits === null ? "–" : formatCredits(credits);
}

interface Rate {
  model: string;
  key: string;
  credits: number;
  unit: "perSecond" | "perImage";
}

/** The rates of all models and of the upscaler, under the keys that a price book has. */
function ratesOf({ models, upscaler }: ListModelsAnswer): Rate[] {
  const unit = "perSecond" as const;
  return [
    ...models.flatMap(({ model, prices }): Rate[] =>
      "images" in prices
        ? prices.images.map(({ resolution, quality, creditsPerImage }) => ({
            model,
            key: quality === null ? resolution : `${resolution}.${quality}`,
            credits: creditsPerImage,
            unit: "perImage",
          }))
        : [
            ...prices.seconds.flatMap(
              ({ outputResolution, creditsPerSecond, creditsPerSecondWithVideo }) => [
                { model, key: outputResolution, credits: creditsPerSecond, unit },
                ...(creditsPerSecondWithVideo === null
                  ? []
                  : [
                      {
                        model,
                        key: `${outputResolution}.withVideo`,
                        credits: creditsPerSecondWithVideo,
                        unit,
                      },
                    ]),
              ],
            ),
            ...prices.upscale.map(({ upscaleResolution, creditsPerSecond }) => ({
              model,
              key: `upscale.${upscaleResolution}`,
              credits: creditsPerSecond,
              unit,
            })),
          ],
    ),
    ...upscaler.targets.map(({ targetResolution, creditsPerSecond }) => ({
      model: "upscale",
      key: targetResolution,
      credits: creditsPerSecond,
      unit,
    })),
  ];
}

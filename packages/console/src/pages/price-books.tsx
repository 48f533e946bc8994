import { useQuery } from "@tanstack/react-query";
import type { PriceVersion } from "@zoetrope/sdk/admin";
import { useTranslation } from "react-i18next";
import { Badge } from "../components/badge.tsx";
import { SelectField } from "../components/field.tsx";
import { Page, Panel } from "../components/panel.tsx";
import { Table } from "../components/table.tsx";
import { Loaded } from "../features/operations/loaded.tsx";
import { DraftPanel } from "../features/prices/draft-panel.tsx";
import { bookQuery, booksQuery } from "../features/prices/queries.ts";
import { RatesPanel } from "../features/prices/rates-panel.tsx";
import { useFilters } from "../lib/filters.ts";
import { formatTime } from "../lib/format.ts";

const defaults = { book: "A" };

/** What customers pay, for the staff: one book at a time. */
export function PriceBooksPage() {
  const { t } = useTranslation(["prices", "frame"]);
  const [{ book }, change] = useFilters(defaults);
  const books = useQuery(booksQuery);
  const query = useQuery(bookQuery(book));
  return (
    <Page title={t("frame:pages.priceBooks")} about={t("prices:about")}>
      <Loaded query={books} className="h-16">
        {({ items }) => (
          <SelectField
            label={t("prices:book")}
            className="max-w-80"
            value={book}
            onChange={(event) => change({ book: event.target.value })}
          >
            {items.map((one) => (
              <option key={one.book} value={one.book}>
                {[one.book, one.description].filter((text) => text !== "").join(" · ")}
                {one.draft === "waits" ? ` · ${t("prices:waits")}` : ""}
              </option>
            ))}
          </SelectField>
        )}
      </Loaded>
      <Loaded query={query} className="h-[40rem]">
        {(shown) => (
          <>
            {shown.draft !== null && <DraftPanel book={shown.book} draft={shown.draft} />}
            <RatesPanel key={shown.book} book={shown} />
            <Panel title={t("prices:versions")}>
              <Versions versions={shown.versions} />
            </Panel>
          </>
        )}
      </Loaded>
    </Page>
  );
}

const tones = { in_force: "good", announced: "accent", ended: "neutral" } as const;

function Versions({ versions }: { versions: readonly PriceVersion[] }) {
  const { t } = useTranslation("prices");
  return (
    <Table
      label={t("versions")}
      rows={versions}
      keyOf={({ version }) => String(version)}
      columns={[
        { title: t("version"), cell: ({ version }) => version, isShort: true },
        {
          title: t("state"),
          isShort: true,
          cell: ({ state }) => <Badge tone={tones[state]}>{t(`states.${state}`)}</Badge>,
        },
        { title: t("begins"), cell: ({ validFrom }) => formatTime(validFrom) },
        {
          title: t("publishedBy"),
          cell: ({ publishedBy }) =>
            publishedBy === null ? t("withService") : (publishedBy.name ?? publishedBy.id),
        },
        {
          title: t("reason"),
          cell: ({ reason }) => (
            <span dir="auto" className="break-words">
              {reason ?? "–"}
            </span>
          ),
        },
      ]}
    />
  );
}

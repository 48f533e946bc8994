import type { ReadPriceBookAnswer } from "@zoetrope/sdk/admin";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../components/button.tsx";
import { ErrorPanel } from "../../components/error-panel.tsx";
import { Panel } from "../../components/panel.tsx";
import { Table } from "../../components/table.tsx";
import { toast } from "../../components/toasts.tsx";
import { client } from "../../lib/client.ts";
import { formatCredits } from "../../lib/format.ts";
import { modelTitle } from "../../lib/model-title.ts";
import { useAction } from "../../lib/use-action.ts";
import { useIsOperator } from "../operations/for-staff.tsx";
import { PriceChange } from "./price-change.tsx";
import { pathOf, readBooksAgain } from "./queries.ts";
import { rateName } from "./rate-name.ts";

interface Row {
  model: string;
  key: string;
  inForce: number | null;
  draft: number | null;
}

/** The rates of a book: those in force and those of the draft, which an operator writes here. */
export function RatesPanel({ book }: { book: ReadPriceBookAnswer }) {
  const { t } = useTranslation(["prices", "frame"]);
  const isOperator = useIsOperator();
  const [given, setGiven] = useState<Record<string, string> | null>(null);
  const draft = book.draft?.document ?? null;
  const rows: Row[] = book.models.flatMap(({ model, rateKeys }) =>
    rateKeys.map((key) => ({
      model,
      key,
      inForce: book.document?.[model]?.[key] ?? null,
      draft: draft?.[model]?.[key] ?? null,
    })),
  );
  const start = () =>
    setGiven(
      Object.fromEntries(
        rows.map((row) => [nameOf(row), String((draft === null ? row.inForce : row.draft) ?? "")]),
      ),
    );
  const { run, isBusy, error } = useAction(async () => {
    if (given === null) return;
    const body = { document: documentOf(rows, given) };
    await client.request({ method: "PUT", path: `${pathOf(book.book)}/draft`, body });
    await readBooksAgain();
    setGiven(null);
    toast(t("prices:draftSaved"));
  });
  const after = (row: Row) => (given === null ? row.draft : wholeOf(given[nameOf(row)]));
  return (
    <Panel
      title={t("prices:rates")}
      actions={
        isOperator &&
        (given === null ? (
          <Button onClick={start}>
            {t(draft === null ? "prices:writeDraft" : "prices:changeDraft")}
          </Button>
        ) : (
          <div className="flex flex-wrap gap-2">
            <Button onClick={() => setGiven(null)}>{t("frame:cancel")}</Button>
            <Button variant="primary" isBusy={isBusy} onClick={() => run()}>
              {t("prices:saveDraft")}
            </Button>
          </div>
        ))
      }
    >
      <p className="mb-3 text-muted">{t("prices:ratesAbout")}</p>
      {error !== null && <ErrorPanel error={error} />}
      <Table
        label={t("prices:rates")}
        rows={rows}
        keyOf={nameOf}
        columns={[
          {
            title: t("prices:model"),
            cell: ({ model }) => <span className="font-medium">{modelTitle(model)}</span>,
          },
          { title: t("prices:what"), cell: ({ model, key }) => rateName(t, model, key) },
          {
            title: t("prices:inForce"),
            isNumber: true,
            cell: (row: Row) => shown(row.inForce),
          },
          ...(draft === null && given === null
            ? []
            : [
                {
                  title: t("prices:draft"),
                  isNumber: true,
                  cell: (row: Row) =>
                    given === null ? (
                      shown(row.draft)
                    ) : (
                      <input
                        aria-label={`${modelTitle(row.model)} ${rateName(t, row.model, row.key)}`}
                        inputMode="numeric"
                        pattern="[0-9]*"
                        className="h-8 w-24 rounded-md border border-line-strong bg-panel px-2 text-right"
                        value={given[nameOf(row)] ?? ""}
                        onChange={({ target: { value } }) =>
                          setGiven((before) => ({ ...before, [nameOf(row)]: value }))
                        }
                      />
                    ),
                },
                {
                  title: t("prices:change"),
                  isNumber: true,
                  cell: (row: Row) => <PriceChange before={row.inForce} after={after(row)} />,
                },
              ]),
        ]}
      />
    </Panel>
  );
}

function nameOf({ model, key }: Pick<Row, "model" | "key">): string {
  return `${model} ${key}`;
}

function shown(credits: number | null): string {
  return credits === null ? "–" : formatCredits(credits);
}

function wholeOf(text: string | undefined): number | null {
  const trimmed = (text ?? "").trim();
  return trimmed === "" ? null : Number(trimmed);
}

/** A model all of whose rates are empty is left out: it is not for sale. The service says what else is missing. */
function documentOf(rows: readonly Row[], given: Record<string, string>) {
  const document: Record<string, Record<string, number>> = {};
  for (const row of rows) {
    const rate = wholeOf(given[nameOf(row)]);
    if (rate === null) continue;
    document[row.model] = { ...document[row.model], [row.key]: rate };
  }
  return document;
}

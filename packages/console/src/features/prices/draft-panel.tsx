import { useQuery } from "@tanstack/react-query";
import type { PreviewPricesAnswer, PriceDraft, PublishPricesAnswer } from "@zoetrope/sdk/admin";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Badge, Notice } from "../../components/badge.tsx";
import { Button } from "../../components/button.tsx";
import { Confirm } from "../../components/confirm.tsx";
import { Panel } from "../../components/panel.tsx";
import { Table } from "../../components/table.tsx";
import { toast } from "../../components/toasts.tsx";
import { client, get, post } from "../../lib/client.ts";
import { formatCredits, formatNumber, formatTime } from "../../lib/format.ts";
import { modelTitle } from "../../lib/model-title.ts";
import { useIsOperator } from "../operations/for-staff.tsx";
import { Loaded } from "../operations/loaded.tsx";
import { PriceChange } from "./price-change.tsx";
import { PublishDialog } from "./publish-dialog.tsx";
import { pathOf, readBooksAgain } from "./queries.ts";

type Act = "publish" | "drop" | "approve" | "reject";

/** The draft of a book: what it would have earned, and how it becomes the next version. */
export function DraftPanel({ book, draft }: { book: string; draft: PriceDraft }) {
  const { t } = useTranslation(["prices", "frame"]);
  const isOperator = useIsOperator();
  const [act, setAct] = useState<Act | null>(null);
  const [isPreviewed, setPreviewed] = useState(false);
  const { asked } = draft;
  const close = () => setAct(null);
  const path = pathOf(book);
  return (
    <Panel
      title={
        <>
          {t("prices:draft")} {asked !== null && <Badge tone="warn">{t("prices:waits")}</Badge>}
        </>
      }
      actions={
        <div className="flex flex-wrap gap-2">
          <Button onClick={() => setPreviewed(true)}>{t("prices:preview")}</Button>
          {isOperator && asked === null && (
            <>
              <Button onClick={() => setAct("drop")}>{t("prices:drop")}</Button>
              <Button variant="primary" onClick={() => setAct("publish")}>
                {t("prices:publish")}
              </Button>
            </>
          )}
          {isOperator && asked !== null && (
            <>
              <Button onClick={() => setAct("reject")}>{t("prices:reject")}</Button>
              <Button variant="primary" onClick={() => setAct("approve")}>
                {t("prices:approve")}
              </Button>
            </>
          )}
        </div>
      }
    >
      {asked === null ? (
        <p className="text-muted">{t("prices:draftAbout")}</p>
      ) : (
        <Notice tone="warn">
          <p>
            {t("prices:askedBy", {
              name: asked.askedBy.name ?? asked.askedBy.id,
              time: formatTime(asked.validFrom),
            })}
          </p>
          <p dir="auto">{asked.reason}</p>
        </Notice>
      )}
      {isPreviewed && <Preview key={draft.changedAt} book={book} changedAt={draft.changedAt} />}
      {act === "publish" && <PublishDialog book={book} onClose={close} />}
      <Confirm
        title={t("prices:dropTitle")}
        effect={t("prices:dropEffect")}
        action={t("prices:drop")}
        isOpen={act === "drop"}
        onClose={close}
        onConfirm={async () => {
          await client.request({ method: "DELETE", path: `${path}/draft` });
          await readBooksAgain();
        }}
      />
      <Confirm
        title={t("prices:approveTitle")}
        effect={t("prices:approveEffect", { time: formatTime(asked?.validFrom ?? 0) })}
        action={t("prices:approve")}
        variant="primary"
        isOpen={act === "approve"}
        onClose={close}
        onConfirm={async () => {
          const { version } = await post<PublishPricesAnswer>(client, `${path}/approve`, {});
          await readBooksAgain();
          toast(t("prices:published", { version: version ?? "" }));
        }}
      />
      <Confirm
        title={t("prices:rejectTitle")}
        effect={t("prices:rejectEffect")}
        action={t("prices:reject")}
        isOpen={act === "reject"}
        onClose={close}
        onConfirm={async () => {
          await post(client, `${path}/reject`, {});
          await readBooksAgain();
        }}
      />
    </Panel>
  );
}

function Preview({ book, changedAt }: { book: string; changedAt: number }) {
  const { t } = useTranslation("prices");
  const query = useQuery({
    queryKey: ["admin", "prices", book, "preview", changedAt],
    queryFn: ({ signal }) =>
      get<PreviewPricesAnswer>(client, `${pathOf(book)}/preview`, {}, signal),
    staleTime: 0,
  });
  return (
    <div className="mt-4 flex flex-col gap-2">
      <p className="text-muted">{t("previewAbout")}</p>
      <Loaded query={query} className="h-40">
        {({ items }) =>
          items.length === 0 ? (
            <p>{t("previewNone")}</p>
          ) : (
            <Table
              label={t("preview")}
              rows={items}
              keyOf={({ model }) => model}
              columns={[
                { title: t("model"), cell: ({ model }) => modelTitle(model) },
                { title: t("tasks"), isNumber: true, cell: ({ tasks }) => formatNumber(tasks) },
                {
                  title: t("before"),
                  isNumber: true,
                  cell: ({ creditsBefore }) => formatCredits(creditsBefore),
                },
                {
                  title: t("after"),
                  isNumber: true,
                  cell: ({ creditsAfter }) => formatCredits(creditsAfter),
                },
                {
                  title: t("change"),
                  isNumber: true,
                  cell: ({ creditsBefore, creditsAfter }) => (
                    <PriceChange before={creditsBefore} after={creditsAfter} />
                  ),
                },
                {
                  title: t("refused"),
                  isNumber: true,
                  cell: ({ refused }) => formatNumber(refused),
                },
              ]}
            />
          )
        }
      </Loaded>
    </div>
  );
}

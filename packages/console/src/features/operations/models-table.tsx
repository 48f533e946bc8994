import type { ModelSwitch } from "@zoetrope/sdk/admin";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Badge } from "../../components/badge.tsx";
import { Button } from "../../components/button.tsx";
import { Confirm } from "../../components/confirm.tsx";
import { Dialog } from "../../components/dialog.tsx";
import { ErrorPanel } from "../../components/error-panel.tsx";
import { AreaField } from "../../components/field.tsx";
import { Form } from "../../components/form.tsx";
import { Table } from "../../components/table.tsx";
import { toast } from "../../components/toasts.tsx";
import { client, queryClient } from "../../lib/client.ts";
import { modelTitle } from "../../lib/model-title.ts";
import { useAction } from "../../lib/use-action.ts";
import { useIsOperator } from "./for-staff.tsx";
import { admin, switchesQuery } from "./queries.ts";

async function setModel(model: string, body: object): Promise<void> {
  const path = `${admin}/switches/models/${encodeURIComponent(model)}`;
  await client.request({ method: "PUT", path, body });
  await queryClient.invalidateQueries({ queryKey: switchesQuery.queryKey });
}

export function ModelsTable({ models }: { models: readonly ModelSwitch[] }) {
  const { t } = useTranslation("operations");
  const isOperator = useIsOperator();
  return (
    <Table
      label={t("models.title")}
      rows={models}
      keyOf={({ model }) => model}
      columns={[
        {
          title: t("tasks.model"),
          cell: ({ model }) => (
            <>
              <span className="font-medium whitespace-nowrap">{modelTitle(model)}</span>{" "}
              <span className="text-sm text-muted">{model}</span>
            </>
          ),
        },
        {
          title: t("state"),
          cell: ({ isOn }) => (
            <Badge tone={isOn ? "neutral" : "warn"}>{t(isOn ? "models.on" : "models.off")}</Badge>
          ),
        },
        {
          title: t("models.message"),
          cell: ({ message }) => (
            <span dir="auto" className="break-words">
              {message ?? "–"}
            </span>
          ),
        },
        ...(isOperator
          ? [{ title: t("actions"), cell: (row: ModelSwitch) => <SwitchButton row={row} /> }]
          : []),
      ]}
    />
  );
}

function SwitchButton({ row: { model, isOn } }: { row: ModelSwitch }) {
  const { t } = useTranslation("operations");
  const title = modelTitle(model);
  const [isOpen, setOpen] = useState(false);
  const close = () => setOpen(false);
  return (
    <>
      <Button
        isSmall
        aria-label={t(isOn ? "models.switchOffTitle" : "models.switchOnTitle", { model: title })}
        onClick={() => setOpen(true)}
      >
        {t(isOn ? "models.switchOff" : "models.switchOn")}
      </Button>
      {isOpen && isOn && <SwitchOff model={model} onClose={close} />}
      <Confirm
        title={t("models.switchOnTitle", { model: title })}
        effect={t("models.onEffect")}
        action={t("models.switchOn")}
        variant="primary"
        isOpen={isOpen && !isOn}
        onClose={close}
        onConfirm={async () => {
          await setModel(model, { isOn: true });
          toast(t("models.onDone", { model: title }));
        }}
      />
    </>
  );
}

function SwitchOff({ model, onClose }: { model: string; onClose(): void }) {
  const { t } = useTranslation(["operations", "frame"]);
  const [message, setMessage] = useState("");
  const [reason, setReason] = useState("");
  const { run, isBusy, error } = useAction(async () => {
    await setModel(model, {
      isOn: false,
      ...(message.trim() === "" ? {} : { message: message.trim() }),
      ...(reason.trim() === "" ? {} : { reason: reason.trim() }),
    });
    toast(t("operations:models.offDone", { model: modelTitle(model) }));
    onClose();
  });
  return (
    <Dialog
      title={t("operations:models.switchOffTitle", { model: modelTitle(model) })}
      about={t("operations:models.offEffect")}
      isOpen
      onClose={onClose}
    >
      <Form onSubmit={run}>
        <AreaField
          label={t("operations:models.message")}
          help={t("operations:models.messageHelp")}
          maxLength={500}
          rows={2}
          value={message}
          onChange={(event) => setMessage(event.target.value)}
        />
        <AreaField
          label={t("operations:reasonOptional")}
          help={t("operations:reasonHelp")}
          maxLength={500}
          rows={2}
          value={reason}
          onChange={(event) => setReason(event.target.value)}
        />
        {error !== null && <ErrorPanel error={error} />}
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>{t("frame:cancel")}</Button>
          <Button type="submit" variant="danger" isBusy={isBusy}>
            {t("operations:models.switchOff")}
          </Button>
        </div>
      </Form>
    </Dialog>
  );
}

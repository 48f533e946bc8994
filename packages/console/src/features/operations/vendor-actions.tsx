import type { TestVendorAccountAnswer, VendorAccount } from "@zoetrope/sdk/admin";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../components/button.tsx";
import { Dialog } from "../../components/dialog.tsx";
import { ErrorPanel } from "../../components/error-panel.tsx";
import { TextField } from "../../components/field.tsx";
import { Form } from "../../components/form.tsx";
import { toast } from "../../components/toasts.tsx";
import { client, post, queryClient } from "../../lib/client.ts";
import { useAction } from "../../lib/use-action.ts";
import { admin, vendorsQuery } from "./queries.ts";
import { ReasonDialog } from "./reason-dialog.tsx";

const pathOf = ({ name }: VendorAccount) => `${admin}/vendor-accounts/${encodeURIComponent(name)}`;
const reread = () => queryClient.invalidateQueries({ queryKey: vendorsQuery.queryKey });

interface Props {
  vendor: VendorAccount;
  onTested(result: string): void;
}

/** Accounts of the setting VENDORS are changed in the setting. */
export function VendorActions({ vendor, onTested }: Props) {
  const { t } = useTranslation("operations");
  const [open, setOpen] = useState<"pause" | "resume" | "weight" | null>(null);
  const test = useAction(async () => {
    const answer = await post<TestVendorAccountAnswer>(client, `${pathOf(vendor)}/test`);
    const { works, result, ms } = answer;
    onTested(t(works ? "vendors.works" : "vendors.fails", { result, ms }));
  });
  const isChangeable = vendor.source === "database";
  const { name } = vendor;
  const verb = vendor.state === "paused" ? "resume" : "pause";
  const close = () => setOpen(null);
  return (
    <div className="flex flex-wrap gap-2">
      {test.error !== null && <ErrorPanel error={test.error} />}
      <Button
        isSmall
        aria-label={t("vendors.tryItTitle", { name })}
        isBusy={test.isBusy}
        onClick={() => test.run()}
      >
        {t("vendors.tryIt")}
      </Button>
      {isChangeable &&
        (["weight", verb] as const).map((act) => (
          <Button
            key={act === "weight" ? act : "state"}
            isSmall
            aria-label={t(`vendors.${act}Title`, { name })}
            onClick={() => setOpen(act)}
          >
            {t(`vendors.${act}`)}
          </Button>
        ))}
      {(open === "pause" || open === "resume") && (
        <PauseDialog vendor={vendor} verb={open} onClose={close} />
      )}
      {open === "weight" && <WeightDialog vendor={vendor} onClose={close} />}
    </div>
  );
}

interface DialogProps {
  vendor: VendorAccount;
  onClose(): void;
}

interface PauseProps extends DialogProps {
  /** The action for which the dialog was opened: the state changes before the dialog closes. */
  verb: "pause" | "resume";
}

function PauseDialog({ vendor, verb, onClose }: PauseProps) {
  const { t } = useTranslation("operations");
  const { name, openJobs } = vendor;
  return (
    <ReasonDialog
      title={t(`vendors.${verb}Title`, { name })}
      effect={t(`vendors.${verb}Effect`, { number: openJobs })}
      action={t(`vendors.${verb}`)}
      onClose={onClose}
      onConfirm={async (reason) => {
        await post(client, `${pathOf(vendor)}/${verb}`, { reason });
        toast(t(`vendors.${verb}Done`, { name }));
        await reread();
      }}
    />
  );
}

function WeightDialog({ vendor, onClose }: DialogProps) {
  const { t } = useTranslation(["operations", "frame"]);
  const [weight, setWeight] = useState(String(vendor.weight ?? 100));
  const { run, isBusy, error } = useAction(async () => {
    await client.request({
      method: "PUT",
      path: `${pathOf(vendor)}/weight`,
      body: { weight: Number(weight) },
    });
    await reread();
    toast(t("frame:saved"));
    onClose();
  });
  const isReady = /^\d{1,4}$/.test(weight) && Number(weight) <= 1000;
  return (
    <Dialog
      title={t("operations:vendors.weightTitle", { name: vendor.name })}
      about={t("operations:vendors.weightEffect")}
      isOpen
      onClose={onClose}
    >
      <Form isReady={isReady} onSubmit={run}>
        <TextField
          label={t("operations:vendors.weight")}
          inputMode="numeric"
          error={isReady ? undefined : t("operations:vendors.weightRule")}
          value={weight}
          onChange={(event) => setWeight(event.target.value)}
        />
        {error !== null && <ErrorPanel error={error} />}
        <Button type="submit" variant="primary" isBusy={isBusy} disabled={!isReady}>
          {t("frame:save")}
        </Button>
      </Form>
    </Dialog>
  );
}

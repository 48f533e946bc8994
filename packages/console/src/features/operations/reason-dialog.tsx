import { type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import { Button, type ButtonVariant } from "../../components/button.tsx";
import { Dialog } from "../../components/dialog.tsx";
import { ErrorPanel } from "../../components/error-panel.tsx";
import { AreaField } from "../../components/field.tsx";
import { Form } from "../../components/form.tsx";
import { useAction } from "../../lib/use-action.ts";

interface Props {
  title: string;
  /** A sentence about what the action does, and whether it can be undone. */
  effect: ReactNode;
  action: string;
  variant?: ButtonVariant;
  /** Not every change needs one. */
  isOptional?: boolean;
  onClose(): void;
  onConfirm(reason: string): Promise<unknown>;
}

/** Says what a change does, and asks for the reason that stays in the audit. */
export function ReasonDialog(props: Props) {
  const {
    title,
    effect,
    action,
    variant = "primary",
    isOptional = false,
    onClose,
    onConfirm,
  } = props;
  const { t } = useTranslation(["operations", "frame"]);
  const [reason, setReason] = useState("");
  const { run, isBusy, error } = useAction(async () => {
    await onConfirm(reason.trim());
    onClose();
  });
  const isReady = isOptional || reason.trim() !== "";
  return (
    <Dialog title={title} isOpen onClose={onClose}>
      <Form isReady={isReady} onSubmit={run}>
        <div>{effect}</div>
        <AreaField
          label={isOptional ? t("operations:reasonOptional") : t("operations:reason")}
          help={t("operations:reasonHelp")}
          required={!isOptional}
          maxLength={500}
          rows={2}
          value={reason}
          onChange={(event) => setReason(event.target.value)}
        />
        {error !== null && <ErrorPanel error={error} />}
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>{t("frame:cancel")}</Button>
          <Button type="submit" variant={variant} isBusy={isBusy} disabled={!isReady}>
            {action}
          </Button>
        </div>
      </Form>
    </Dialog>
  );
}

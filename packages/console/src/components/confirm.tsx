import { type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import { Button, type ButtonVariant } from "./button.tsx";
import { Dialog } from "./dialog.tsx";
import { ErrorPanel } from "./error-panel.tsx";

interface Props {
  title: string;
  /** A sentence about what the action does, to how many, and whether it can be undone. */
  effect: ReactNode;
  action: string;
  variant?: ButtonVariant;
  isOpen: boolean;
  onClose(): void;
  onConfirm(): Promise<unknown>;
}

/** Asks before something that cannot be undone. */
export function Confirm(props: Props) {
  const { title, effect, action, variant = "danger", isOpen, onClose, onConfirm } = props;
  const { t } = useTranslation();
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const confirm = async () => {
    setBusy(true);
    setError(null);
    try {
      await onConfirm();
      onClose();
    } catch (fault) {
      setError(fault);
    } finally {
      setBusy(false);
    }
  };
  return (
    <Dialog title={title} isOpen={isOpen} onClose={onClose}>
      <div>{effect}</div>
      {error !== null && <ErrorPanel error={error} />}
      <div className="flex justify-end gap-2">
        <Button onClick={onClose}>{t("cancel")}</Button>
        <Button variant={variant} isBusy={isBusy} onClick={() => void confirm()}>
          {action}
        </Button>
      </div>
    </Dialog>
  );
}

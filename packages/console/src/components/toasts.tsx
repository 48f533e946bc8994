import { useCallback, useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { IconButton } from "./button.tsx";
import { Icon } from "./icon.tsx";

interface Toast {
  id: number;
  title: string;
  action?: { label: string; onClick(): void } | undefined;
}

const channel = new EventTarget();
let last = 0;

/** Says that something is done. What failed is shown where it failed, with its next step. */
export function tell(title: string, action?: Toast["action"]): void {
  last += 1;
  channel.dispatchEvent(new CustomEvent("toast", { detail: { id: last, title, action } }));
}

const shownMax = 3;

export function Toasts() {
  const { t } = useTranslation();
  const [toasts, setToasts] = useState<Toast[]>([]);
  const drop = useCallback(
    (id: number) => setToasts((shown) => shown.filter((toast) => toast.id !== id)),
    [],
  );
  useEffect(() => {
    const add = (event: Event) => {
      const toast = (event as CustomEvent<Toast>).detail;
      setToasts((shown) => [...shown, toast].slice(-shownMax));
      setTimeout(() => drop(toast.id), toast.action === undefined ? 5000 : 10_000);
    };
    channel.addEventListener("toast", add);
    return () => channel.removeEventListener("toast", add);
  }, [drop]);
  return (
    <div
      role="status"
      className="fixed right-4 bottom-4 z-50 flex w-80 max-w-[calc(100vw-2rem)] flex-col gap-2"
    >
      {toasts.map(({ id, title, action }) => (
        <div
          key={id}
          className="flex items-center gap-3 rounded-md border border-line bg-raised px-3 py-2 shadow-lg"
        >
          <span className="min-w-0 flex-1">{title}</span>
          {action !== undefined && (
            <button
              type="button"
              className="font-medium text-accent-strong underline"
              onClick={() => {
                drop(id);
                action.onClick();
              }}
            >
              {action.label}
            </button>
          )}
          <IconButton label={t("close")} isSmall className="w-7" onClick={() => drop(id)}>
            <Icon name="close" />
          </IconButton>
        </div>
      ))}
    </div>
  );
}

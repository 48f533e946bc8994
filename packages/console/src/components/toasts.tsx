import { useCallback, useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { IconButton } from "./button.tsx";
import { Icon } from "./icon.tsx";

interface Toast {
  id: number;
  title: string;
}

const channel = new EventTarget();
let last = 0;

/** Shows that something is done. A failure is shown where it happened, with its next step. */
export function toast(title: string): void {
  last += 1;
  channel.dispatchEvent(new CustomEvent("toast", { detail: { id: last, title } }));
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
      setTimeout(() => drop(toast.id), 5000);
    };
    channel.addEventListener("toast", add);
    return () => channel.removeEventListener("toast", add);
  }, [drop]);
  return (
    <div
      role="status"
      className="fixed right-4 bottom-4 z-50 flex w-80 max-w-[calc(100vw-2rem)] flex-col gap-2"
    >
      {toasts.map(({ id, title }) => (
        <div
          key={id}
          className="flex items-center gap-3 rounded-md border border-line bg-raised px-3 py-2 shadow-lg"
        >
          <span className="min-w-0 flex-1">{title}</span>
          <IconButton label={t("close")} isSmall className="w-7" onClick={() => drop(id)}>
            <Icon name="close" />
          </IconButton>
        </div>
      ))}
    </div>
  );
}

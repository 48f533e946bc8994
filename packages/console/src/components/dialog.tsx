import { type ReactNode, useEffect, useId, useRef } from "react";
import { useTranslation } from "react-i18next";
import { IconButton } from "./button.tsx";
import { classNames } from "./class-names.ts";
import { Icon } from "./icon.tsx";
import { noteOpenDialog } from "./open-dialogs.ts";

/** The elements that take text. A checkbox is not one of them: a space would tick it. */
const typedInto =
  "input:enabled:not([type=checkbox], [type=radio], [type=file], [type=hidden]), textarea:enabled, select:enabled";

interface Props {
  title: ReactNode;
  about?: ReactNode;
  isOpen: boolean;
  onClose(): void;
  isWide?: boolean;
  children: ReactNode;
}

/**
 * The browser's own modal dialog: it keeps the focus inside, closes on Escape and makes the rest inert.
 * Whoever begins to type does so in its first field; only without one is the button that closes it focused.
 */
export function Dialog({ isOpen, ...rest }: Props) {
  return isOpen ? <OpenDialog {...rest} /> : null;
}

function OpenDialog({ title, about, onClose, isWide = false, children }: Omit<Props, "isOpen">) {
  const { t } = useTranslation();
  const id = useId();
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const opened = document.activeElement;
    dialog.current?.showModal();
    dialog.current?.querySelector<HTMLElement>(typedInto)?.focus();
    const noteClosed = noteOpenDialog();
    return () => {
      noteClosed();
      if (opened instanceof HTMLElement) opened.focus();
    };
  }, []);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape is the key; a click beside it closes too
    <dialog
      ref={dialog}
      aria-labelledby={`${id}-title`}
      aria-describedby={about === undefined ? undefined : `${id}-about`}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onClick={(event) => event.target === dialog.current && onClose()}
      className={classNames(
        "m-auto mt-[8vh] max-h-[84vh] w-[calc(100vw-2rem)] overflow-auto rounded-lg border border-line bg-raised text-ink shadow-2xl backdrop:bg-black/50",
        isWide ? "max-w-3xl" : "max-w-lg",
      )}
    >
      <div className="flex flex-col gap-3 p-5">
        <div className="flex items-start justify-between gap-3">
          <h2 id={`${id}-title`} className="text-lg font-semibold">
            {title}
          </h2>
          <IconButton label={t("close")} isSmall className="w-7" onClick={onClose}>
            <Icon name="close" />
          </IconButton>
        </div>
        {about !== undefined && (
          <p id={`${id}-about`} className="text-muted">
            {about}
          </p>
        )}
        {children}
      </div>
    </dialog>
  );
}

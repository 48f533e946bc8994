import { useNavigate } from "@tanstack/react-router";
import { useId, useState } from "react";
import { useTranslation } from "react-i18next";
import { classNames } from "../components/class-names.ts";
import { Dialog } from "../components/dialog.tsx";
import { Icon, type IconName } from "../components/icon.tsx";
import { isId } from "../lib/is-id.ts";
import { areasOf } from "./navigation.ts";
import { useSession } from "./session.tsx";

interface Choice {
  to: string;
  label: string;
  icon: IconName;
}

export function CommandPalette({ isOpen, onClose }: { isOpen: boolean; onClose(): void }) {
  const { t } = useTranslation();
  return (
    <Dialog title={t("palette.title")} isOpen={isOpen} onClose={onClose}>
      <Palette onClose={onClose} />
    </Dialog>
  );
}

function useChoices(text: string): Choice[] {
  const { t } = useTranslation();
  const session = useSession();
  const wanted = text.trim().toLowerCase();
  const pages = areasOf(session).flatMap(({ area, entries }) =>
    entries.map(({ page, to, icon }) => ({
      to,
      icon,
      label: `${t(`areas.${area}`)} · ${t(`pages.${page}`)}`,
    })),
  );
  const found = pages.filter(({ label, to }) => `${label} ${to}`.toLowerCase().includes(wanted));
  if (session.account === null || !isId(wanted)) return found;
  const label = t("palette.openTask", { id: wanted });
  return [{ to: `/tasks/${wanted}`, label, icon: "play" }, ...found];
}

function Palette({ onClose }: { onClose(): void }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const id = useId();
  const [text, setText] = useState("");
  const [at, setAt] = useState(0);
  const choices = useChoices(text);
  const current = Math.min(at, choices.length - 1);
  const open = ({ to }: Choice) => {
    onClose();
    void navigate({ to });
  };
  const press = (event: React.KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const choice = choices[current];
    if (step !== undefined && choices.length > 0)
      setAt((current + step + choices.length) % choices.length);
    else if (event.key === "Enter" && choice !== undefined) open(choice);
    else return;
    event.preventDefault();
  };
  return (
    <>
      <input
        type="text"
        role="combobox"
        aria-label={t("palette.label")}
        aria-expanded="true"
        aria-controls={`${id}-list`}
        aria-activedescendant={choices.length > 0 ? `${id}-${current}` : undefined}
        placeholder={t("palette.label")}
        value={text}
        onChange={(event) => {
          setText(event.target.value);
          setAt(0);
        }}
        onKeyDown={press}
        className="h-9 w-full rounded-md border border-line-strong bg-panel px-2.5"
      />
      <div
        role="listbox"
        id={`${id}-list`}
        aria-label={t("palette.title")}
        className="max-h-80 overflow-auto"
      >
        {choices.map((choice, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the combobox has the keys
          <div
            key={choice.to}
            id={`${id}-${index}`}
            role="option"
            tabIndex={-1}
            aria-selected={index === current}
            onClick={() => open(choice)}
            className={classNames(
              "flex h-9 items-center gap-2 rounded px-2",
              index === current && "bg-accent-soft",
            )}
          >
            <Icon name={choice.icon} />
            {choice.label}
          </div>
        ))}
      </div>
      {choices.length === 0 && <p className="text-muted">{t("palette.empty")}</p>}
    </>
  );
}

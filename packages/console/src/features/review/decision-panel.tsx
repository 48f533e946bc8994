import { useTranslation } from "react-i18next";
import { Button } from "../../components/button.tsx";
import { Icon } from "../../components/icon.tsx";
import { currentLanguage } from "../../i18n/language.ts";
import type { Reason } from "./calls.ts";
import { KeyCap } from "./key-cap.tsx";
import type { Command } from "./keys.ts";
import { keyOfReason } from "./keys.ts";

interface Props {
  reasons: readonly Reason[];
  canUndo: boolean;
  onCommand(command: Command): void;
}

/** Buttons that do what the keys do, for people who use a mouse, with the key of each. */
export function DecisionPanel({ reasons, canUndo, onCommand }: Props) {
  const { t } = useTranslation("review");
  const language = currentLanguage();
  return (
    <section aria-label={t("decide")} className="flex flex-col gap-2">
      <Button
        variant="primary"
        className="h-10"
        aria-keyshortcuts="A"
        onClick={() => onCommand({ kind: "approve" })}
      >
        {t("approve")}
        <KeyCap>A</KeyCap>
      </Button>
      <div className="grid grid-cols-2 gap-2">
        <Button aria-keyshortcuts="S" onClick={() => onCommand({ kind: "skip" })}>
          <Icon name="skip" />
          {t("skip")}
          <KeyCap>S</KeyCap>
        </Button>
        <Button
          aria-keyshortcuts="U"
          disabled={!canUndo}
          onClick={() => onCommand({ kind: "undo" })}
        >
          <Icon name="undo" />
          {t("undo")}
          <KeyCap>U</KeyCap>
        </Button>
      </div>
      <h2 className="mt-1 text-sm font-medium text-muted">{t("refuseBecause")}</h2>
      <ul className="flex flex-col gap-1">
        {reasons.map(({ code, titles, isAtOnce }, at) => (
          <li key={code}>
            <button
              type="button"
              aria-keyshortcuts={keyOfReason(at)}
              onClick={(event) => onCommand({ kind: "refuse", at, withText: event.shiftKey })}
              title={titles[language]}
              className="flex h-7 w-full items-center gap-2 rounded-md border border-line bg-panel px-1.5 text-left text-sm hover:border-bad hover:bg-bad-soft"
            >
              <KeyCap>{keyOfReason(at)}</KeyCap>
              <span className="min-w-0 flex-1 truncate">{titles[language]}</span>
              {isAtOnce && <span className="text-xs text-bad">{t("final")}</span>}
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}

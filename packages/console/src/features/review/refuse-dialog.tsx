import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Notice } from "../../components/badge.tsx";
import { Button } from "../../components/button.tsx";
import { Dialog } from "../../components/dialog.tsx";
import { AreaField } from "../../components/field.tsx";
import { Form } from "../../components/form.tsx";
import { currentLanguage } from "../../i18n/language.ts";
import type { Reason } from "./calls.ts";

const textMax = 500;

interface Props {
  assetId: number;
  reason: Reason;
  onClose(): void;
  onRefuse(text: string | null): void;
}

/** The dialog for a reason that needs a text, and for one that cannot be undone. */
export function RefuseDialog({ assetId, reason, onClose, onRefuse }: Props) {
  const { t } = useTranslation(["review", "frame"]);
  const [text, setText] = useState("");
  const given = text.trim();
  const isMissing = reason.needsText && given === "";
  const refuse = () => {
    if (!isMissing) onRefuse(given === "" ? null : given);
  };
  return (
    <Dialog title={t("refuseTitle", { id: assetId })} isOpen onClose={onClose}>
      <Form onSubmit={refuse}>
        <p className="font-medium">{reason.titles[currentLanguage()]}</p>
        {reason.isAtOnce && <Notice tone="bad">{t("finalAbout")}</Notice>}
        <AreaField
          label={reason.needsText ? t("text") : t("textOptional")}
          help={t("textHelp")}
          rows={3}
          maxLength={textMax}
          required={reason.needsText}
          value={text}
          onChange={(event) => setText(event.target.value)}
          onKeyDown={(event) => {
            if (event.key !== "Enter" || event.shiftKey || event.nativeEvent.isComposing) return;
            event.preventDefault();
            if (!event.repeat) refuse();
          }}
        />
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>{t("frame:cancel")}</Button>
          <Button type="submit" variant="danger" disabled={isMissing}>
            {t("refuse")}
          </Button>
        </div>
      </Form>
    </Dialog>
  );
}

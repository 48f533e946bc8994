import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../components/button.tsx";
import { Dialog } from "../../components/dialog.tsx";
import { AreaField, SelectField, TextField } from "../../components/field.tsx";
import { Form } from "../../components/form.tsx";
import { ConfirmGrant, type GrantDraft } from "./confirm-grant.tsx";
import { signed } from "./grants-table.tsx";

/** Two steps: the amount is typed twice, then the sentence with the account's name is confirmed. */
export function AskGrant({ accountId, onClose }: { accountId: string; onClose(): void }) {
  const { t } = useTranslation("operations");
  const [draft, setDraft] = useState<GrantDraft | null>(null);
  const [given, setGiven] = useState({
    accountId,
    kind: "grant",
    credits: "",
    again: "",
    reason: "",
  });
  return (
    <Dialog title={t("grants.ask")} isOpen onClose={onClose}>
      {draft === null ? (
        <GrantForm given={given} onChange={setGiven} onDone={setDraft} />
      ) : (
        <ConfirmGrant draft={draft} onBack={() => setDraft(null)} onClose={onClose} />
      )}
    </Dialog>
  );
}

interface Given {
  accountId: string;
  kind: string;
  credits: string;
  again: string;
  reason: string;
}

interface FormProps {
  given: Given;
  onChange(given: Given): void;
  onDone(draft: GrantDraft): void;
}

const creditsMax = 1_000_000_000;

function GrantForm({ given, onChange, onDone }: FormProps) {
  const { t } = useTranslation("operations");
  const { accountId, kind, credits, again, reason } = given;
  const isAdjust = kind === "adjust";
  const number = Number(credits);
  const isNumber = (isAdjust ? /^-?\d+$/ : /^\d+$/).test(credits) && number !== 0;
  const isSame = credits === again;
  const isReady =
    isNumber &&
    isSame &&
    Math.abs(number) <= creditsMax &&
    reason.trim() !== "" &&
    accountId.trim() !== "";
  const set = (name: keyof Given) => (event: { target: { value: string } }) =>
    onChange({ ...given, [name]: event.target.value });
  return (
    <Form
      isReady={isReady}
      onSubmit={() => {
        const about = { accountId: accountId.trim(), reason: reason.trim(), credits: number };
        onDone({ ...about, kind: isAdjust ? "adjust" : "grant" });
      }}
    >
      <TextField
        label={t("grants.accountId")}
        required
        value={accountId}
        onChange={set("accountId")}
      />
      <SelectField
        label={t("grants.kind")}
        help={t(`grants.about.${isAdjust ? "adjust" : "grant"}`)}
        value={kind}
        onChange={set("kind")}
      >
        <option value="grant">{t("grants.kinds.grant")}</option>
        <option value="adjust">{t("grants.kinds.adjust")}</option>
      </SelectField>
      <TextField
        label={t("credits")}
        help={isNumber ? signed(number) : t("grants.wholeNumber")}
        required
        autoComplete="off"
        inputMode={isAdjust ? "text" : "numeric"}
        value={credits}
        onChange={set("credits")}
      />
      <TextField
        label={t("grants.again")}
        required
        autoComplete="off"
        inputMode={isAdjust ? "text" : "numeric"}
        error={again !== "" && !isSame ? t("grants.differ") : undefined}
        value={again}
        onPaste={(event) => event.preventDefault()}
        onChange={set("again")}
      />
      <AreaField
        label={t("reason")}
        help={t("grants.reasonHelp")}
        required
        maxLength={500}
        rows={2}
        value={reason}
        onChange={set("reason")}
      />
      <Button type="submit" variant="primary" disabled={!isReady}>
        {t("grants.continue")}
      </Button>
    </Form>
  );
}

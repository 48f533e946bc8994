import type { ChangeAccountBody, ReadAccountAnswer } from "@zoetrope/sdk/admin";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../components/button.tsx";
import { Dialog } from "../../components/dialog.tsx";
import { ErrorPanel } from "../../components/error-panel.tsx";
import { SelectField, TextField } from "../../components/field.tsx";
import { Form } from "../../components/form.tsx";
import { toast } from "../../components/toasts.tsx";
import { client, queryClient } from "../../lib/client.ts";
import { useAction } from "../../lib/use-action.ts";
import { accountQuery, admin } from "./queries.ts";

const numbers = [
  "openTasksMax",
  "openAssetsMax",
  "openUploadsMax",
  "storedBytesMax",
  "webhookTailHours",
] as const;
type NumberName = (typeof numbers)[number];

const textOf = (value: number | null) => (value === null ? "" : String(value));

/** Only what was changed is sent; an empty field stays as it is. */
function changesOf(account: ReadAccountAnswer, given: Record<string, string>): ChangeAccountBody {
  const changes: ChangeAccountBody = {};
  if (given["name"] !== account.name && given["name"] !== undefined) changes.name = given["name"];
  const book = given["priceBook"] || null;
  if (book !== account.priceBook) changes.priceBook = book;
  const testMode = given["testMode"] as ReadAccountAnswer["testMode"];
  if (testMode !== account.testMode) changes.testMode = testMode;
  for (const name of numbers) {
    const text = given[name] ?? "";
    if (text !== "" && text !== textOf(account[name])) changes[name] = Number(text);
  }
  return changes;
}

function startOf(account: ReadAccountAnswer): Record<string, string> {
  return {
    name: account.name,
    priceBook: account.priceBook ?? "",
    testMode: account.testMode,
    ...Object.fromEntries(numbers.map((name: NumberName) => [name, textOf(account[name])])),
  };
}

export function LimitsDialog({
  account,
  onClose,
}: {
  account: ReadAccountAnswer;
  onClose(): void;
}) {
  const { t } = useTranslation(["operations", "frame"]);
  const [given, setGiven] = useState(() => startOf(account));
  const { accountId } = account;
  const set = (name: string) => (event: { target: { value: string } }) =>
    setGiven((before) => ({ ...before, [name]: event.target.value }));
  const { run, isBusy, error } = useAction(async () => {
    const path = `${admin}/accounts/${encodeURIComponent(accountId)}`;
    await client.request({ method: "PATCH", path, body: changesOf(account, given) });
    await queryClient.invalidateQueries({ queryKey: accountQuery(accountId).queryKey });
    toast(t("frame:saved"));
    onClose();
  });
  return (
    <Dialog title={t("operations:account.change")} isOpen onClose={onClose}>
      <Form onSubmit={run}>
        <TextField
          label={t("operations:accounts.name")}
          required
          maxLength={200}
          value={given["name"]}
          onChange={set("name")}
        />
        <TextField
          label={t("operations:account.priceBook")}
          placeholder={t("operations:account.ofDeployment")}
          maxLength={40}
          value={given["priceBook"]}
          onChange={set("priceBook")}
        />
        {account.testOf === null && (
          <SelectField
            label={t("operations:account.testMode")}
            value={given["testMode"]}
            onChange={set("testMode")}
          >
            <option value="on">{t("operations:account.testModes.on")}</option>
            <option value="off">{t("operations:account.testModes.off")}</option>
          </SelectField>
        )}
        {numbers.map((name) => (
          <TextField
            key={name}
            label={t(`operations:account.${name}`)}
            placeholder={t("operations:account.ofDeployment")}
            inputMode="numeric"
            pattern="[0-9]*"
            value={given[name]}
            onChange={set(name)}
          />
        ))}
        {error !== null && <ErrorPanel error={error} />}
        <Button type="submit" variant="primary" isBusy={isBusy}>
          {t("frame:save")}
        </Button>
      </Form>
    </Dialog>
  );
}

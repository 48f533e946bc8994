import type { CreateKeyBody, Key } from "@zoetrope/sdk/answers";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useAccount } from "../../app/session.tsx";
import { Button } from "../../components/button.tsx";
import { ErrorPanel } from "../../components/error-panel.tsx";
import { CheckField, SelectField, TextField } from "../../components/field.tsx";
import { Form } from "../../components/form.tsx";
import { dayOf } from "../../lib/day-of.ts";

const scopes = ["tasks", "assets", "webhooks", "account", "keys", "read"] as const;
type Scope = (typeof scopes)[number];

interface Props {
  /** The key that is changed; without it a new one is described. */
  before?: Key;
  action: string;
  isBusy: boolean;
  error: unknown;
  onSubmit(body: CreateKeyBody): void;
}

const wholeOrEmpty = /^([1-9]\d{0,11})?$/;
const numberOf = (text: string) => (text === "" ? null : Number(text));
const textOf = (value: number | null | undefined) => (value == null ? "" : String(value));

/** The end of the chosen day, in the zone of the person. */
const endOfDay = (day: string) => new Date(`${day}T23:59:59`);

export function KeyForm({ before, action, isBusy, error, onSubmit }: Props) {
  const { t } = useTranslation(["developers", "frame"]);
  const { isTest } = useAccount().account;
  const [name, setName] = useState(before?.name ?? "");
  const [mode, setMode] = useState<"live" | "test">(isTest ? "test" : "live");
  const [chosen, setChosen] = useState<readonly Scope[] | null>(before?.scopes ?? null);
  const [budget, setBudget] = useState(textOf(before?.creditsMax));
  const [rate, setRate] = useState(textOf(before?.requestsPerMinuteMax));
  const [day, setDay] = useState(before?.expiresAt == null ? "" : dayOf(before.expiresAt));
  const isPast = day !== "" && !(endOfDay(day).getTime() > Date.now());
  const isValid =
    name.trim() !== "" &&
    !isPast &&
    wholeOrEmpty.test(budget) &&
    wholeOrEmpty.test(rate) &&
    chosen?.length !== 0;
  const submit = () =>
    onSubmit({
      name: name.trim(),
      ...(before === undefined ? { mode } : {}),
      scopes: chosen === null ? null : [...chosen],
      creditsMax: numberOf(budget),
      requestsPerMinuteMax: numberOf(rate),
      expiresAt: day === "" ? null : endOfDay(day).toISOString(),
    });
  return (
    <Form className="flex flex-col gap-4" isReady={isValid} onSubmit={submit}>
      <TextField
        label={t("keys.name")}
        help={t("keys.nameHelp")}
        required
        maxLength={100}
        value={name}
        onChange={({ target }) => setName(target.value)}
      />
      {before === undefined && (
        <SelectField
          label={t("keys.mode")}
          help={t("keys.modeHelp")}
          value={mode}
          onChange={({ target }) => setMode(target.value === "test" ? "test" : "live")}
        >
          <option value="live">{t("frame:live")}</option>
          <option value="test">{t("frame:test")}</option>
        </SelectField>
      )}
      <ScopeFields chosen={chosen} onChange={setChosen} />
      <WholeField name="budget" text={budget} onChange={setBudget} />
      <WholeField name="rate" text={rate} onChange={setRate} />
      <TextField
        label={t("keys.expires")}
        help={t("keys.expiresHelp")}
        type="date"
        error={isPast ? t("keys.past") : undefined}
        value={day}
        onChange={({ target }) => setDay(target.value)}
      />
      {error !== null && <ErrorPanel error={error} />}
      <Button type="submit" variant="primary" isBusy={isBusy} disabled={!isValid}>
        {action}
      </Button>
    </Form>
  );
}

interface ScopeProps {
  chosen: readonly Scope[] | null;
  onChange(chosen: readonly Scope[] | null): void;
}

function ScopeFields({ chosen, onChange }: ScopeProps) {
  const { t } = useTranslation("developers");
  const toggle = (scope: Scope, isOn: boolean) => {
    if (scope === "read") return onChange(isOn ? ["read"] : []); // and nothing else
    const others: readonly Scope[] = chosen?.filter((one) => one !== "read") ?? [];
    onChange(scopes.filter((one) => (one === scope ? isOn : others.includes(one))));
  };
  return (
    <fieldset className="flex flex-col gap-2">
      <legend className="mb-1 font-medium">{t("keys.scopes")}</legend>
      <CheckField
        label={t("keys.scopesAll")}
        checked={chosen === null}
        onChange={({ target }) => onChange(target.checked ? null : ["read"])}
      />
      {chosen !== null &&
        scopes.map((scope) => (
          <CheckField
            key={scope}
            label={t(`keys.scope.${scope}`)}
            checked={chosen.includes(scope)}
            onChange={({ target }) => toggle(scope, target.checked)}
          />
        ))}
    </fieldset>
  );
}

interface WholeProps {
  name: "budget" | "rate";
  text: string;
  onChange(text: string): void;
}

function WholeField({ name, text, onChange }: WholeProps) {
  const { t } = useTranslation("developers");
  return (
    <TextField
      label={t(`keys.${name}`)}
      help={t(`keys.${name}Help`)}
      inputMode="numeric"
      error={wholeOrEmpty.test(text) ? undefined : t("keys.whole")}
      value={text}
      onChange={({ target }) => onChange(target.value.trim())}
    />
  );
}

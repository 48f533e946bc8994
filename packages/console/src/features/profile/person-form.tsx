import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { meQuery, useSession } from "../../app/session.tsx";
import { Button } from "../../components/button.tsx";
import { ErrorPanel } from "../../components/error-panel.tsx";
import { SelectField, TextField } from "../../components/field.tsx";
import { Form } from "../../components/form.tsx";
import { toast } from "../../components/toasts.tsx";
import { type Language, languages } from "../../i18n/language.ts";
import { client } from "../../lib/client.ts";
import { useAction } from "../../lib/use-action.ts";

export function PersonForm() {
  const { t } = useTranslation(["frame", "team"]);
  const { me } = useSession();
  const cache = useQueryClient();
  const [name, setName] = useState(me.name);
  const [language, setLanguage] = useState<Language>(me.language);
  const { run, isBusy, error } = useAction(async () => {
    await client.request({ method: "PATCH", path: "/api/v1/me", body: { name, language } });
    cache.setQueryData(meQuery.queryKey, { ...me, name, language });
    toast(t("saved"));
  });
  return (
    <Form onSubmit={run}>
      <p className="text-muted">{me.email}</p>
      <TextField
        label={t("team:name")}
        required
        maxLength={100}
        autoComplete="name"
        value={name}
        onChange={({ target }) => setName(target.value)}
      />
      <SelectField
        label={t("team:profile.language")}
        value={language}
        onChange={({ target }) => setLanguage(target.value as Language)}
      >
        {Object.entries(languages).map(([value, text]) => (
          <option key={value} value={value}>
            {text}
          </option>
        ))}
      </SelectField>
      {error !== null && <ErrorPanel error={error} />}
      <Button type="submit" variant="primary" isBusy={isBusy} className="self-start">
        {t("save")}
      </Button>
    </Form>
  );
}

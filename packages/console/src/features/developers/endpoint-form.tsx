import type { CreateEndpointBody, WebhookEndpoint } from "@zoetrope/sdk/answers";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../components/button.tsx";
import { ErrorPanel } from "../../components/error-panel.tsx";
import { CheckField, TextField } from "../../components/field.tsx";
import { Form } from "../../components/form.tsx";

const eventTypes = [
  "generation.completed",
  "generation.failed",
  "upscale.completed",
  "upscale.failed",
  "asset.reviewed",
  "credits.low",
  "key.budget_low",
] as const;
type EventType = (typeof eventTypes)[number];

interface Props {
  before?: WebhookEndpoint;
  action: string;
  isBusy: boolean;
  error: unknown;
  onSubmit(body: CreateEndpointBody): void;
}

export function EndpointForm({ before, action, isBusy, error, onSubmit }: Props) {
  const { t } = useTranslation("developers");
  const [url, setUrl] = useState(before?.url ?? "");
  const [description, setDescription] = useState(before?.description ?? "");
  const [events, setEvents] = useState((before?.events ?? null) as EventType[] | null);
  const toggle = (type: EventType, isOn: boolean) =>
    setEvents(eventTypes.filter((one) => (one === type ? isOn : events?.includes(one) === true)));
  const isValid = URL.canParse(url) && events?.length !== 0;
  return (
    <Form
      className="flex flex-col gap-4"
      isReady={isValid}
      onSubmit={() => onSubmit({ url, description, events })}
    >
      <TextField
        label={t("endpoints.url")}
        help={t("endpoints.urlHelp")}
        type="url"
        required
        value={url}
        onChange={({ target }) => setUrl(target.value.trim())}
      />
      <TextField
        label={t("endpoints.description")}
        maxLength={200}
        value={description}
        onChange={({ target }) => setDescription(target.value)}
      />
      <fieldset className="flex flex-col gap-2">
        <legend className="mb-1 font-medium">{t("endpoints.events")}</legend>
        <CheckField
          label={t("endpoints.allEvents")}
          checked={events === null}
          onChange={({ target }) => setEvents(target.checked ? null : ["generation.completed"])}
        />
        {events !== null &&
          eventTypes.map((type) => (
            <CheckField
              key={type}
              label={type}
              checked={events.includes(type)}
              onChange={({ target }) => toggle(type, target.checked)}
            />
          ))}
      </fieldset>
      {error !== null && <ErrorPanel error={error} />}
      <Button type="submit" variant="primary" isBusy={isBusy} disabled={!isValid}>
        {action}
      </Button>
    </Form>
  );
}

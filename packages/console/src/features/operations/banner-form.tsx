import type { Banner, ShowBannerBody } from "@zoetrope/sdk/admin";
import type { ReadBannerAnswer } from "@zoetrope/sdk/answers";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Badge } from "../../components/badge.tsx";
import { Button } from "../../components/button.tsx";
import { ErrorPanel } from "../../components/error-panel.tsx";
import { AreaField, SelectField, TextField } from "../../components/field.tsx";
import { Form } from "../../components/form.tsx";
import { Panel } from "../../components/panel.tsx";
import { Time } from "../../components/time.tsx";
import { toast } from "../../components/toasts.tsx";
import { client, queryClient } from "../../lib/client.ts";
import { useAction } from "../../lib/use-action.ts";
import { useIsOperator } from "./for-staff.tsx";
import { admin, switchesQuery } from "./queries.ts";

const path = `${admin}/switches/banner`;
const severities = ["info", "warning", "critical"] as const;

/** Every api process reads the switches every 2 seconds: the frame shows at once what was changed here. */
async function reread(banner: Banner | null) {
  queryClient.setQueryData<ReadBannerAnswer>(["banner"], { banner });
  await queryClient.invalidateQueries({ queryKey: switchesQuery.queryKey });
}

export function BannerPanel({ banner }: { banner: Banner | null }) {
  const { t } = useTranslation("operations");
  const isOperator = useIsOperator();
  const remove = useAction(async () => {
    await client.request({ method: "DELETE", path });
    toast(t("banner.removed"));
    await reread(null);
  });
  return (
    <Panel
      title={t("banner.title")}
      actions={
        isOperator &&
        banner !== null && (
          <Button isSmall isBusy={remove.isBusy} onClick={() => remove.run()}>
            {t("banner.remove")}
          </Button>
        )
      }
    >
      <div className="flex flex-col gap-4">
        {remove.error !== null && <ErrorPanel error={remove.error} />}
        {banner === null ? (
          <p className="text-muted">{t("banner.none")}</p>
        ) : (
          <Current banner={banner} />
        )}
        {isOperator && <BannerForm key={JSON.stringify(banner)} banner={banner} />}
      </div>
    </Panel>
  );
}

const tones = { info: "accent", warning: "warn", critical: "bad" } as const;

function Current({ banner: { severity, text, until } }: { banner: Banner }) {
  const { t } = useTranslation("operations");
  return (
    <div className="flex flex-col gap-1">
      <p className="flex flex-wrap items-center gap-2">
        <Badge tone={tones[severity]}>{t(`banner.severities.${severity}`)}</Badge>
        <span className="text-sm text-muted">
          {until === null ? (
            t("banner.noEnd")
          ) : (
            <>
              {t("banner.ends")} <Time ms={until} />
            </>
          )}
        </span>
      </p>
      <p lang="en" className="break-words">
        {text.en}
      </p>
      <p lang="zh-CN" className="break-words">
        {text.zh}
      </p>
    </div>
  );
}

/** Formats a time for the input field: in the viewer's zone, to the minute. */
function localTime(ms: number | null): string {
  if (ms === null) return "";
  const zoned = new Date(ms - new Date(ms).getTimezoneOffset() * 60_000);
  return zoned.toISOString().slice(0, 16);
}

function BannerForm({ banner }: { banner: Banner | null }) {
  const { t } = useTranslation("operations");
  const [severity, setSeverity] = useState<Banner["severity"]>(banner?.severity ?? "info");
  const [en, setEn] = useState(banner?.text.en ?? "");
  const [zh, setZh] = useState(banner?.text.zh ?? "");
  const [until, setUntil] = useState(localTime(banner?.until ?? null));
  const { run, isBusy, error } = useAction(async () => {
    const body: ShowBannerBody = { severity, text: { en: en.trim(), zh: zh.trim() } };
    if (until !== "") body.until = new Date(until).getTime();
    await client.request({ method: "PUT", path, body });
    toast(t("banner.shown"));
    await reread({ ...body, until: body.until ?? null });
  });
  const isReady = en.trim() !== "" && zh.trim() !== "";
  return (
    <Form className="grid gap-3 sm:grid-cols-2" isReady={isReady} onSubmit={run}>
      <SelectField
        label={t("banner.severity")}
        value={severity}
        onChange={(event) => setSeverity(event.target.value as Banner["severity"])}
      >
        {severities.map((one) => (
          <option key={one} value={one}>
            {t(`banner.severities.${one}`)}
          </option>
        ))}
      </SelectField>
      <TextField
        label={t("banner.until")}
        help={t("banner.untilHelp")}
        type="datetime-local"
        value={until}
        onChange={(event) => setUntil(event.target.value)}
      />
      <AreaField
        label={t("banner.english")}
        lang="en"
        required
        maxLength={500}
        rows={2}
        value={en}
        onChange={(event) => setEn(event.target.value)}
      />
      <AreaField
        label={t("banner.chinese")}
        lang="zh-CN"
        required
        maxLength={500}
        rows={2}
        value={zh}
        onChange={(event) => setZh(event.target.value)}
      />
      {error !== null && <ErrorPanel error={error} />}
      <div className="sm:col-span-2">
        <Button type="submit" variant="primary" isBusy={isBusy} disabled={!isReady}>
          {t("banner.show")}
        </Button>
      </div>
    </Form>
  );
}

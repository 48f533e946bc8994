import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { Code } from "../../components/copy-button.tsx";
import { Panel } from "../../components/panel.tsx";
import type { gallery } from "../../i18n/en/gallery.ts";
import { formatCredits } from "../../lib/format.ts";
import type { TaskRequest } from "./use-task.ts";

type InputName = keyof (typeof gallery)["inputs"]["names"];

/** The inputs with which the task was created. */
export function InputsPanel({ request }: { request: TaskRequest }) {
  const { t } = useTranslation("gallery");
  const { inputs, inputsMissing, callBackUrl, maxCredits } = request;
  const { prompt, ...others } = inputs ?? {};
  const nameOf = (name: string) => t(`inputs.names.${name as InputName}`, { defaultValue: name });
  return (
    <Panel title={t("inputs.title")}>
      {inputsMissing !== null && <p className="text-muted">{t(`inputs.${inputsMissing}`)}</p>}
      {typeof prompt === "string" && (
        <section
          aria-label={t("inputs.names.prompt")}
          // biome-ignore lint/a11y/noNoninteractiveTabindex: a long prompt is scrolled by keyboard
          tabIndex={0}
          dir="auto"
          className="mb-3 max-h-72 overflow-auto rounded-md bg-sunken p-3 break-words whitespace-pre-wrap"
        >
          {prompt}
        </section>
      )}
      <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-1.5">
        {Object.entries(others).map(([name, value]) => (
          <Line key={name} name={nameOf(name)}>
            <Value name={name} value={value} />
          </Line>
        ))}
        {callBackUrl !== null && (
          <Line name={t("inputs.callback")}>
            <Address text={callBackUrl} />
          </Line>
        )}
        {maxCredits !== null && (
          <Line name={t("inputs.maxCredits")}>
            {t("credits", { credits: formatCredits(maxCredits) })}
          </Line>
        )}
      </dl>
    </Panel>
  );
}

export function Line({ name, children }: { name: ReactNode; children: ReactNode }) {
  return (
    <>
      <dt className="text-muted">{name}</dt>
      <dd className="min-w-0 break-words">{children}</dd>
    </>
  );
}

function Value({ name, value }: { name: string; value: unknown }): ReactNode {
  const { t } = useTranslation("gallery");
  if (typeof value === "boolean") return value ? t("inputs.yes") : t("inputs.no");
  if (name === "duration") return t("inputs.seconds", { seconds: String(value) });
  if (Array.isArray(value))
    return (
      <ol className="flex flex-col gap-1">
        {value.map((one, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the inputs of a task do not change
          <li key={index} className="min-w-0">
            <Address text={String(one)} />
          </li>
        ))}
      </ol>
    );
  if (name === "source") return <Source value={value} />;
  return typeof value === "object" ? (
    <Code>{JSON.stringify(value)}</Code>
  ) : (
    <bdi>{String(value)}</bdi>
  );
}

function Source({ value }: { value: unknown }) {
  const { url, storageUrl, taskId } = value as Readonly<Record<string, string | undefined>>;
  const output = taskId === undefined ? "" : `task://${taskId}`;
  return <Address text={url ?? storageUrl ?? output} />;
}

const asset = /^asset:\/\/(.+)$/;
const output = /^task:\/\/([0-9a-f-]{36})/;

/** A link for web addresses only; an address of a caller is hostile. */
function Address({ text }: { text: string }) {
  const { t } = useTranslation("gallery");
  const name = asset.exec(text)?.[1];
  if (name !== undefined)
    return (
      <>
        {t("inputs.asset")} <Code>{name}</Code>
      </>
    );
  const taskId = output.exec(text)?.[1];
  if (taskId !== undefined)
    return (
      <Link
        to="/tasks/$taskId"
        params={{ taskId } as never}
        className="block truncate text-accent-strong underline"
      >
        {text}
      </Link>
    );
  const url = URL.parse(text);
  const isWeb = url !== null && ["https:", "http:"].includes(url.protocol);
  return isWeb ? (
    <a
      href={url.href}
      target="_blank"
      rel="noopener noreferrer"
      title={text}
      className="block truncate text-accent-strong underline"
    >
      <bdi>{text}</bdi>
    </a>
  ) : (
    <bdi className="break-all">{text}</bdi>
  );
}

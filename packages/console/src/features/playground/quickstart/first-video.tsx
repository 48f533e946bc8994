import { useQuery } from "@tanstack/react-query";
import type { ListPackagesAnswer } from "@zoetrope/sdk/answers";
import { useTranslation } from "react-i18next";
import { useAccount } from "../../../app/session.tsx";
import { CopyButton } from "../../../components/copy-button.tsx";
import { Panel, Skeleton } from "../../../components/panel.tsx";
import { Tabs } from "../../../components/tabs.tsx";
import { client, get } from "../../../lib/client.ts";
import { useFilters } from "../../../lib/filters.ts";
import { candidatesOf, inputsFor, sharedRange } from "../compare/text-forms.ts";
import { languageNames, Snippet } from "../copy-as/copy-as-panel.tsx";
import { jsonOf, shellWord } from "../copy-as/quote-text.ts";
import { languages, type SnippetLanguage, snippetOf } from "../copy-as/snippets.ts";
import { type Model, useModels } from "../use-models.ts";
import { useQuote } from "../use-quote.ts";

const defaults = { language: "typescript" };
const creditsUsual = 30;

type PackageId = ListPackagesAnswer["items"][number]["id"];

/** The package of a language; nothing is needed for curl and agents. */
const packages: Record<SnippetLanguage, PackageId | null> = {
  curl: null,
  typescript: "typescript",
  python: "python",
  cli: "cli",
  mcp: null,
};

/** The first video in five languages, with this service's address and the kind of key of this account. */
export function FirstVideo({ isTest }: { isTest: boolean }) {
  const { data, error } = useModels();
  if (data === undefined && error === null) return <Skeleton className="h-120" />;
  return <Video models={data?.models ?? []} isTest={isTest} />;
}

function Video({ models, isTest }: { models: readonly Model[]; isTest: boolean }) {
  const { t } = useTranslation("playground");
  const [filters, change] = useFilters(defaults);
  const language = languages.find((one) => one === filters.language) ?? "typescript";
  const key = isTest ? "zoe_test_…" : "zoe_live_…";
  const { request, maxCredits } = useFirstRequest(models);
  const environment = [
    `export ZOETROPE_BASE_URL=${shellWord(location.origin)}`,
    `export ZOETROPE_API_KEY=${key}`,
  ].join("\n");
  const text =
    language === "mcp"
      ? agentConfig(key)
      : snippetOf(language, { ...request, maxCredits }, location.origin);
  return (
    <Panel title={t("quickstart.first")}>
      <Tabs<SnippetLanguage>
        label={t("quickstart.first")}
        value={language}
        onChange={(next) => change({ language: next }, { replace: true })}
        tabs={languages.map((one) => ({ value: one, label: languageNames[one] }))}
      >
        <div className="flex flex-col gap-3">
          {packages[language] !== null && <Install id={packages[language]} />}
          {language === "mcp" ? (
            <p>{t("quickstart.agent")}</p>
          ) : (
            <Step text={environment} label="ZOETROPE_API_KEY" />
          )}
          {language === "mcp" && (
            <blockquote className="border-l-2 border-accent pl-3">
              {t("quickstart.agentAsk", { credits: maxCredits ?? creditsUsual })}
            </blockquote>
          )}
          <Step text={text} label={languageNames[language]} />
        </div>
      </Tabs>
    </Panel>
  );
}

/** The client that fits this service, from the service itself. */
function Install({ id }: { id: PackageId }) {
  const { t } = useTranslation("playground");
  const { data, error } = useQuery({
    queryKey: ["packages"],
    queryFn: ({ signal }) => get<ListPackagesAnswer>(client, "/api/v1/packages", {}, signal),
  });
  if (data === undefined && error === null) return <Skeleton className="h-16" />;
  const found = data?.items.find((one) => one.id === id);
  if (found === undefined) return <p>{t("quickstart.notServed")}</p>;
  return <Step text={found.install} label={t("quickstart.install")} />;
}

/** The shortest video of the first model, limited to its price for this account. */
function useFirstRequest(models: readonly Model[]) {
  const { t } = useTranslation("playground");
  const { account } = useAccount();
  const first = candidatesOf(models)[0];
  const shared = { prompt: t("quickstart.prompt"), ratio: "" };
  const duration = String(first === undefined ? 4 : (sharedRange([first])?.min ?? ""));
  const inputs =
    first === undefined ? { prompt: shared.prompt } : inputsFor(first, { ...shared, duration });
  const request = { model: first?.model ?? "sd2", inputs };
  const mayAsk = first !== undefined && account.role !== "viewer";
  const { price } = useQuote(request.model, request.inputs, mayAsk);
  return { request, maxCredits: price?.credits ?? null };
}

function Step({ text, label }: { text: string; label: string }) {
  return (
    <div className="flex flex-col gap-1">
      <div className="flex items-center justify-between gap-2">
        <span className="text-sm text-muted">{label}</span>
        <CopyButton text={text} />
      </div>
      <Snippet text={text} label={label} />
    </div>
  );
}

function agentConfig(key: string): string {
  const headers = { Authorization: `Bearer ${key}` };
  const server = { type: "http", url: `${location.origin}/mcp`, headers };
  return jsonOf({ mcpServers: { zoetrope: server } }, 2);
}

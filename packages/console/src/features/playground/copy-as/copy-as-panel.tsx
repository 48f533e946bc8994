import { useState } from "react";
import { useTranslation } from "react-i18next";
import { CopyButton } from "../../../components/copy-button.tsx";
import { Panel } from "../../../components/panel.tsx";
import { Tabs } from "../../../components/tabs.tsx";
import { languages, type Request, type SnippetLanguage, snippetOf } from "./snippets.ts";

export const languageNames: Record<SnippetLanguage, string> = {
  curl: "curl",
  typescript: "TypeScript",
  python: "Python",
  cli: "CLI",
  mcp: "MCP",
};

/** The request of the form for a program, as it is now. */
export function CopyAsPanel({ request }: { request: Request }) {
  const { t } = useTranslation("playground");
  const [language, setLanguage] = useState<SnippetLanguage>("curl");
  const text = snippetOf(language, request, location.origin);
  return (
    <Panel title={t("copyAs.title")} actions={<CopyButton text={text} />}>
      <Tabs<SnippetLanguage>
        label={t("copyAs.title")}
        value={language}
        onChange={setLanguage}
        tabs={languages.map((one) => ({ value: one, label: languageNames[one] }))}
      >
        <Snippet text={text} label={languageNames[language]} />
      </Tabs>
      <p className="mt-2 text-sm text-muted">{t("copyAs.key")}</p>
    </Panel>
  );
}

export function Snippet({ text, label }: { text: string; label: string }) {
  return (
    <section
      // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, also by the keyboard
      tabIndex={0}
      aria-label={label}
      className="max-h-80 overflow-auto rounded-md bg-sunken p-3"
    >
      <pre dir="ltr" className="font-mono text-sm whitespace-pre-wrap">
        {text}
      </pre>
    </section>
  );
}

import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "./button.tsx";
import { Icon } from "./icon.tsx";

/** Copies a text; says so for two seconds. */
export function CopyButton({ text, label }: { text: string; label?: string }) {
  const { t } = useTranslation();
  const [isCopied, setCopied] = useState(false);
  const copy = async () => {
    await navigator.clipboard.writeText(text);
    setCopied(true);
    setTimeout(() => setCopied(false), 2000);
  };
  return (
    <Button isSmall onClick={() => void copy()}>
      <Icon name={isCopied ? "check" : "copy"} />
      <span aria-live="polite">{isCopied ? t("copied") : (label ?? t("copy"))}</span>
    </Button>
  );
}

/** An id or another word for machines, which is selected by one click. */
export function Code({ children }: { children: string }) {
  return <code className="font-mono text-sm select-all">{children}</code>;
}

/** A secret is shown once, with what to do with it. */
export function Secret({ value, about }: { value: string; about: string }) {
  return (
    <div className="flex flex-col gap-2 rounded-md border border-warn bg-warn-soft p-3">
      <p>{about}</p>
      <div className="flex flex-wrap items-center gap-2">
        <Code>{value}</Code>
        <CopyButton text={value} />
      </div>
    </div>
  );
}

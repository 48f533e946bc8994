import { ApiError, ZoetropeError } from "@zoetrope/sdk";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { sentenceOf } from "../lib/sentence-of.ts";
import { Button } from "./button.tsx";
import { Code } from "./copy-button.tsx";

interface Props {
  error: unknown;
  /** Tries again what failed. */
  onRetry?: (() => void) | undefined;
  /** The page tries again by itself. */
  isRetried?: boolean;
  /** The next step, where there is a better one than trying again. */
  children?: ReactNode;
}

/** An error's sentence, its code, and the next step. */
export function ErrorPanel({ error, onRetry, isRetried = false, children }: Props) {
  const { t } = useTranslation();
  const known = error instanceof ZoetropeError ? error : null;
  const field = error instanceof ApiError ? error.param : null;
  return (
    <div role="alert" className="flex flex-col gap-2 rounded-md border border-bad bg-bad-soft p-3">
      <p className="font-medium">{known === null ? t("error.unexpected") : sentenceOf(known)}</p>
      {known !== null && (
        <p className="text-sm">
          {t("error.code")} <Code>{known.code}</Code>
          {field !== null && (
            <>
              {" "}
              {t("error.field")} <Code>{field}</Code>
            </>
          )}
          {known.requestId !== null && (
            <>
              {" "}
              {t("error.request")} <Code>{known.requestId}</Code>
            </>
          )}
        </p>
      )}
      {isRetried && <p className="text-sm">{t("error.again")}</p>}
      <div className="flex flex-wrap gap-2 empty:hidden">
        {onRetry !== undefined && (
          <Button isSmall onClick={onRetry}>
            {t("tryAgain")}
          </Button>
        )}
        {children}
      </div>
    </div>
  );
}

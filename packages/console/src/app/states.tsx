import { Link, useRouter } from "@tanstack/react-router";
import { useEffect } from "react";
import { useTranslation } from "react-i18next";
import { Button, buttonClass } from "../components/button.tsx";
import { Drum } from "../components/drum.tsx";
import { ErrorPanel } from "../components/error-panel.tsx";
import { Empty } from "../components/panel.tsx";
import { againMs, isPassing } from "../lib/client.ts";

export function Loading() {
  const { t } = useTranslation();
  return (
    <div role="status" className="flex justify-center p-16 text-muted">
      <Drum className="size-8" />
      <span className="sr-only">{t("loading")}</span>
    </div>
  );
}

/** A page that threw: one page's fault leaves the others usable. What may pass is tried again by itself. */
export function Failed({ error }: { error: unknown }) {
  const { t } = useTranslation();
  const router = useRouter();
  useEffect(() => {
    if (!isPassing(error)) return;
    const timer = setTimeout(() => void router.invalidate(), againMs);
    return () => clearTimeout(timer);
  }, [error, router]);
  return (
    <div className="mx-auto flex max-w-2xl flex-col gap-3 p-6">
      <title>Zoetrope</title>
      <h1 className="text-lg font-medium">{t("error.failed")}</h1>
      <ErrorPanel error={error} isRetried={isPassing(error)}>
        <Button isSmall onClick={() => void router.invalidate()}>
          {t("tryAgain")}
        </Button>
        <Button isSmall onClick={() => location.reload()}>
          {t("reload")}
        </Button>
      </ErrorPanel>
    </div>
  );
}

/** The same without a frame around it. */
export function FailedAlone({ error }: { error: unknown }) {
  return (
    <main>
      <Failed error={error} />
    </main>
  );
}

export function NotFound() {
  const { t } = useTranslation();
  return (
    <main className="mx-auto max-w-2xl p-6">
      <title>Zoetrope</title>
      <Empty isPage title={t("error.notFound")}>
        <Link to="/" className={buttonClass("primary")}>
          {t("error.home")}
        </Link>
      </Empty>
    </main>
  );
}

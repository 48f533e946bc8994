import { Link, useRouter } from "@tanstack/react-router";
import { useEffect } from "react";
import { useTranslation } from "react-i18next";
import { Button, buttonClass } from "../components/button.tsx";
import { ErrorPanel } from "../components/error-panel.tsx";
import { Empty } from "../components/panel.tsx";
import { Spinner } from "../components/spinner.tsx";
import { againMs, isPassing } from "../lib/client.ts";
import { forgetFailedPages, PageOutdated } from "./load-page.tsx";

export function Loading() {
  const { t } = useTranslation();
  return (
    <div role="status" className="flex justify-center p-16 text-muted">
      <Spinner className="size-8" />
      <span className="sr-only">{t("loading")}</span>
    </div>
  );
}

/**
 * The view of a page that threw: one page's fault leaves the others usable. A passing failure is
 * retried automatically.
 */
export function Failed({ error }: { error: unknown }) {
  const { t } = useTranslation();
  const router = useRouter();
  useEffect(() => {
    if (error instanceof PageOutdated) reloadOnce(error.message);
    if (!isPassing(error)) return;
    const timer = setTimeout(() => {
      forgetFailedPages();
      void router.invalidate();
    }, againMs);
    return () => clearTimeout(timer);
  }, [error, router]);
  const tryAgain = () => {
    forgetFailedPages();
    void router.invalidate();
  };
  return (
    <div className="mx-auto flex max-w-2xl flex-col gap-3 p-6">
      <title>Zoetrope</title>
      <h1 className="text-lg font-medium">{t("error.failed")}</h1>
      <ErrorPanel error={error} isRetried={isPassing(error)}>
        <Button isSmall onClick={tryAgain}>
          {t("tryAgain")}
        </Button>
        <Button isSmall onClick={() => location.reload()}>
          {t("reload")}
        </Button>
      </ErrorPanel>
    </div>
  );
}

/** Gets the release that the service has now. If that did not help, a person decides. */
function reloadOnce(reason: string): void {
  const place = `zoetrope.reloaded: ${reason}`;
  if (sessionStorage.getItem(place) !== null) return;
  sessionStorage.setItem(place, "yes");
  location.reload();
}

/** The failure message without a frame around it. */
export function FailedAlone({ error }: { error: unknown }) {
  return (
    <main>
      <Failed error={error} />
    </main>
  );
}

function Nothing({ title }: { title: string }) {
  const { t } = useTranslation();
  return (
    <div className="mx-auto max-w-2xl p-6">
      <title>Zoetrope</title>
      <Empty isPage title={title}>
        <Link to="/" className={buttonClass("primary")}>
          {t("error.home")}
        </Link>
      </Empty>
    </div>
  );
}

/** Inside the frame: the menu leads on. */
export function NotFound() {
  const { t } = useTranslation();
  return <Nothing title={t("error.notFound")} />;
}

/** Instead of a page that the role may not use. */
export function NoAccess() {
  const { t } = useTranslation();
  return <Nothing title={t("error.noAccess")} />;
}

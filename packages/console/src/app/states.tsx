import { Link, useRouter } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { Button, buttonClass } from "../components/button.tsx";
import { Drum } from "../components/drum.tsx";
import { ErrorPanel } from "../components/error-panel.tsx";
import { Empty } from "../components/panel.tsx";

export function Loading() {
  const { t } = useTranslation();
  return (
    <div role="status" className="flex justify-center p-16 text-muted">
      <Drum className="size-8" />
      <span className="sr-only">{t("loading")}</span>
    </div>
  );
}

/** A page that threw: one page's fault leaves the others usable. */
export function Failed({ error }: { error: unknown }) {
  const { t } = useTranslation();
  const router = useRouter();
  return (
    <div className="mx-auto max-w-2xl p-6">
      <ErrorPanel error={error}>
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

export function NotFound() {
  const { t } = useTranslation();
  return (
    <main className="mx-auto max-w-2xl p-6">
      <title>Zoetrope</title>
      <Empty title={t("error.notFound")}>
        <Link to="/" className={buttonClass("primary")}>
          {t("error.home")}
        </Link>
      </Empty>
    </main>
  );
}

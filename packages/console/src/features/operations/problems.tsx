import { Link } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { Notice } from "../../components/badge.tsx";
import { Icon } from "../../components/icon.tsx";
import type { Problem } from "./find-problems.ts";

/** Lists problems at the top; if there is none, one quiet line says so. */
export function Problems({ problems }: { problems: readonly Problem[] }) {
  const { t } = useTranslation("operations");
  if (problems.length === 0)
    return (
      <p role="status" className="flex items-center gap-2 text-good">
        <Icon name="check" />
        {t("status.well")}
      </p>
    );
  return (
    <section aria-label={t("status.problems")} className="flex flex-col gap-2">
      <h2 className="text-lg font-semibold">
        {t("status.problems")} ({problems.length})
      </h2>
      <ul className="flex flex-col gap-2">
        {problems.map(({ name, tone, to, values }) => (
          <li key={`${name} ${JSON.stringify(values)}`}>
            <Notice tone={tone}>
              <span className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
                <span className="flex min-w-0 items-center gap-2">
                  <Icon name="stuck" />
                  <span className="min-w-0">{t(`problem.${name}`, values)}</span>
                </span>
                {to !== "/operations" && (
                  <Link to={to} className="inline-block py-0.5 font-medium underline">
                    {t("status.open")}
                  </Link>
                )}
              </span>
            </Notice>
          </li>
        ))}
      </ul>
    </section>
  );
}

import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { Badge } from "../../components/badge.tsx";
import { Icon } from "../../components/icon.tsx";

interface Props {
  title: string;
  about: string;
  /** null: it is not known yet. */
  isDone: boolean | null;
  children?: ReactNode;
}

/** A step of the way to the first video: whether it is done is read from the API. */
export function Step({ title, about, isDone, children }: Props) {
  const { t } = useTranslation("start");
  return (
    <li className="rounded-lg border border-line bg-panel p-4">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <h2 className="text-lg font-semibold">{title}</h2>
        {isDone !== null && (
          <Badge tone={isDone ? "good" : "neutral"}>
            {isDone && <Icon name="check" className="size-3.5" />}
            {t(isDone ? "done" : "open")}
          </Badge>
        )}
      </div>
      <p className="mb-3 max-w-prose text-muted">{about}</p>
      {children}
    </li>
  );
}

import type { ReadTaskTimelineAnswer } from "@zoetrope/sdk/admin";
import { useTranslation } from "react-i18next";
import { classNames } from "../../components/class-names.ts";
import { formatSeconds, formatTime } from "../../lib/format.ts";
import { reasonBeside } from "../../lib/reason-beside.ts";

type Entry = ReadTaskTimelineAnswer["entries"][number];

/** The task's events, with vendors' names and texts. Waiting is hollow, working is filled. */
export function StaffTimeline({ timeline }: { timeline: ReadTaskTimelineAnswer }) {
  const { t } = useTranslation("operations");
  const { waitingMs, workingMs, entries } = timeline;
  return (
    <>
      <p className="text-muted">
        {t("tasks.waited", { time: formatSeconds(waitingMs / 1000) })} ·{" "}
        {t("tasks.worked", { time: formatSeconds(workingMs / 1000) })}
      </p>
      <ol className="flex flex-col gap-2">
        {entries.map((entry, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: entries are in the order of time
          <li key={at} className="flex gap-3">
            <span
              aria-hidden="true"
              className={classNames(
                "mt-1.5 size-2.5 shrink-0 rounded-full border-2 border-accent",
                entry.state === "working" && "bg-accent",
              )}
            />
            <EntryText entry={entry} />
          </li>
        ))}
      </ol>
    </>
  );
}

function EntryText({ entry }: { entry: Entry }) {
  const { t } = useTranslation("operations");
  const { event, state, from, to, outcome, vendorAccount, vendorJobId } = entry;
  const details = [
    outcome,
    entry.errorCode,
    vendorAccount,
    vendorJobId,
    entry.status === undefined || entry.status === null ? null : `HTTP ${entry.status}`,
    entry.attempt === undefined ? null : `#${entry.attempt}`,
    reasonBeside(entry.status, entry.reason),
    entry.detail,
  ].filter((detail) => detail !== null && detail !== undefined);
  return (
    <div className="min-w-0">
      <p>
        <span className="font-medium">{t(`tasks.event.${event}`)}</span>{" "}
        <span className="text-sm text-muted">
          {t(`tasks.${state}`)} ·{" "}
          {to === null ? t("tasks.stillOn") : formatSeconds((to - from) / 1000)} ·{" "}
          <time dateTime={new Date(from).toISOString()}>{formatTime(from)}</time>
        </span>
      </p>
      {details.length > 0 && (
        <p dir="auto" className="font-mono text-sm break-words">
          {details.join(" · ")}
        </p>
      )}
    </div>
  );
}

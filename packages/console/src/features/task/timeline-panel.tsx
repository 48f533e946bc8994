import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { classNames } from "../../components/class-names.ts";
import { Panel } from "../../components/panel.tsx";
import type { gallery } from "../../i18n/en/gallery.ts";
import { formatSeconds, formatTime } from "../../lib/format.ts";
import type { Timeline, TimelineEntry } from "./use-task.ts";

type Outcome = keyof (typeof gallery)["timeline"]["outcome"];
type CourseEntry = TimelineEntry & { event: Exclude<TimelineEntry["event"], "delivery"> };

function isCourse(entry: TimelineEntry): entry is CourseEntry {
  return entry.event !== "delivery";
}

const variants = { waiting: "timeline-waiting", working: "bg-accent" } as const;

/** The events of the task with their times. Upscaling is one stage, and waiting looks unlike working. */
export function TimelinePanel({ timeline }: { timeline: Timeline }) {
  const { t } = useTranslation("gallery");
  const course = timeline.entries.filter(isCourse);
  const now = useNow(course.some(({ to }) => to === null));
  const msOf = ({ from, to }: TimelineEntry) => Math.max(0, (to ?? now) - from);
  const sum = (state: TimelineEntry["state"]) =>
    course.filter((entry) => entry.state === state).reduce((ms, entry) => ms + msOf(entry), 0);
  const labelOf = ({ event, state }: CourseEntry) =>
    state === "waiting" ? t(`timeline.wait.${event}`) : t(`timeline.work.${event}`);
  return (
    <Panel title={t("timeline.title")}>
      <p className="mb-2">
        {t("timeline.sum", {
          waiting: formatSeconds(sum("waiting") / 1000),
          working: formatSeconds(sum("working") / 1000),
        })}
      </p>
      <div aria-hidden="true" className="flex h-4 gap-px overflow-hidden rounded">
        {course
          .filter((entry) => msOf(entry) > 0)
          .map((entry) => (
            <span
              key={`${entry.event} ${entry.state} ${entry.from}`}
              title={labelOf(entry)}
              style={{ flexGrow: msOf(entry) }}
              className={classNames("min-w-0.5 basis-0", variants[entry.state])}
            />
          ))}
      </div>
      <ul className="mt-1 mb-3 flex gap-4 text-sm text-muted">
        {(["waiting", "working"] as const).map((state) => (
          <li key={state} className="flex items-center gap-1.5">
            <span aria-hidden="true" className={classNames("size-3 rounded-sm", variants[state])} />
            {state === "waiting" ? t("timeline.legendWaiting") : t("timeline.legendWorking")}
          </li>
        ))}
      </ul>
      <ol className="flex flex-col gap-2">
        {course.map((entry) => (
          <Entry
            key={`${entry.event} ${entry.state} ${entry.from}`}
            entry={entry}
            label={labelOf(entry)}
            ms={msOf(entry)}
          />
        ))}
      </ol>
    </Panel>
  );
}

interface EntryProps {
  entry: CourseEntry;
  label: string;
  ms: number;
}

function Entry({ entry, label, ms }: EntryProps) {
  const { t } = useTranslation("gallery");
  const { state, outcome, segmentCount, to, from } = entry;
  const about = [
    typeof outcome === "string" &&
      t(`timeline.outcome.${outcome as Outcome}`, { defaultValue: outcome }),
    segmentCount !== undefined && t("timeline.segments", { count: segmentCount }),
  ].filter((text) => typeof text === "string");
  return (
    <li className="flex items-baseline gap-2">
      <span
        aria-hidden="true"
        className={classNames("size-2.5 shrink-0 rounded-full", variants[state])}
      />
      <span className={classNames("min-w-0 flex-1", state === "waiting" && "text-muted")}>
        {label}
        {about.length > 0 && `: ${about.join(", ")}`}
        <span className="sr-only"> ({t(`timeline.${state}`)})</span>
      </span>
      <span title={formatTime(from)} className="text-sm whitespace-nowrap text-muted">
        {to === null ? `${t("timeline.running")}, ` : ""}
        {formatSeconds(ms / 1000)}
      </span>
    </li>
  );
}

/** Counts on while something lasts. */
function useNow(isRunning: boolean): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    if (!isRunning) return;
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, [isRunning]);
  return now;
}

import { useEffect, useState } from "react";
import { formatAgo, formatTime } from "../lib/format.ts";

/** Relative, with the exact time on hover; counts on while it is shown. */
export function Time({ ms }: { ms: number }) {
  const [now, setNow] = useState(() => Date.now());
  const isRecent = Math.abs(now - ms) < 3_600_000;
  useEffect(() => {
    if (!isRecent) return;
    const timer = setInterval(() => setNow(Date.now()), 10_000);
    return () => clearInterval(timer);
  }, [isRecent]);
  return (
    <time
      dateTime={new Date(ms).toISOString()}
      title={formatTime(ms)}
      className="whitespace-nowrap"
    >
      {formatAgo(ms, now)}
    </time>
  );
}

/** The packets of a stream: how many, and from when to when they last. */
export interface Span {
  packets: number;
  /** Those that are shown: an edit list may leave some to be decoded only. */
  packetsShown: number;
  from: number;
  to: number;
  /** The times at which the last two begin. Files with frames out of order may have no durations. */
  latest: number;
  secondLatest: number;
  hasDurations: boolean;
  /** The sum of the durations. */
  seconds: number;
  /** Padding of the encoder before and after the audio, in samples. */
  samplesBefore: number;
  samplesAfter: number;
}

const never = Number.NEGATIVE_INFINITY;
const emptySpan: Span = {
  packets: 0,
  packetsShown: 0,
  from: Number.POSITIVE_INFINITY,
  to: never,
  latest: never,
  secondLatest: never,
  hasDurations: false,
  seconds: 0,
  samplesBefore: 0,
  samplesAfter: 0,
};

export function addPacket(
  spans: Map<number, Span>,
  index: number,
  number: (name: string) => number | undefined,
  isShown: boolean,
): void {
  const span = spans.get(index) ?? { ...emptySpan };
  spans.set(index, span);
  span.packets++;
  if (isShown) span.packetsShown++;
  const from = number("pts_time");
  if (from === undefined) return;
  const lasts = number("duration_time") ?? 0;
  const to = from + lasts;
  span.hasDurations ||= lasts > 0;
  span.seconds += lasts;
  if (from > span.latest) Object.assign(span, { latest: from, secondLatest: span.latest });
  else if (from > span.secondLatest && from < span.latest) span.secondLatest = from;
  if (from < span.from) Object.assign(span, { from, samplesBefore: number("skip_samples") ?? 0 });
  if (to >= span.to) Object.assign(span, { to, samplesAfter: number("discard_padding") ?? 0 });
}

/** Returns the end of a span. Without durations the last packet lasts as long as the one before it. */
export function endOf({ to, latest, secondLatest, hasDurations }: Span): number {
  return hasDurations || !Number.isFinite(secondLatest) ? to : latest + (latest - secondLatest);
}

/** Returns the span moved to another start time. */
export function movedTo(span: Span, from: number): Span {
  const { latest, secondLatest, to } = span;
  const later = from - span.from;
  return {
    ...span,
    from,
    to: to + later,
    latest: latest + later,
    secondLatest: secondLatest + later,
  };
}

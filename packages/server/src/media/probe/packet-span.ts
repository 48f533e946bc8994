/** The packets of a stream: how many, and from when to when they last. */
export interface Span {
  packets: number;
  from: number;
  to: number;
  /** When the last two begin. Files with frames out of order may not say how long each lasts. */
  latest: number;
  secondLatest: number;
  hasDurations: boolean;
  /** Padding of the encoder before and after the audio, in samples. */
  samplesBefore: number;
  samplesAfter: number;
}

const never = Number.NEGATIVE_INFINITY;
const emptySpan: Span = {
  ...{ packets: 0, from: Number.POSITIVE_INFINITY, to: never, latest: never, secondLatest: never },
  ...{ hasDurations: false, samplesBefore: 0, samplesAfter: 0 },
};

export function addPacket(
  spans: Map<number, Span>,
  index: number,
  number: (name: string) => number | undefined,
): void {
  const span = spans.get(index) ?? { ...emptySpan };
  spans.set(index, span);
  span.packets++;
  const from = number("pts_time");
  if (from === undefined) return;
  const lasts = number("duration_time") ?? 0;
  const to = from + lasts;
  span.hasDurations ||= lasts > 0;
  if (from > span.latest) Object.assign(span, { latest: from, secondLatest: span.latest });
  else if (from > span.secondLatest && from < span.latest) span.secondLatest = from;
  if (from < span.from) Object.assign(span, { from, samplesBefore: number("skip_samples") ?? 0 });
  if (to >= span.to) Object.assign(span, { to, samplesAfter: number("discard_padding") ?? 0 });
}

/** Without durations the last packet lasts as long as the one before it. */
export function endOf({ to, latest, secondLatest, hasDurations }: Span): number {
  return hasDurations || !Number.isFinite(secondLatest) ? to : latest + (latest - secondLatest);
}

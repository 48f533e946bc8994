import { type KeyboardEvent, type PointerEvent, useState } from "react";

interface Series {
  name: string;
  /** A CSS color. */
  color: string;
}

interface BarRow {
  id: string | number;
  name: string;
  /** One for each series. */
  values: readonly number[];
}

interface Props {
  /** A description of the chart for people who cannot see it. */
  label: string;
  series: readonly Series[];
  rows: readonly BarRow[];
  format(value: number): string;
}

/** The maximum number of names that fit below a chart. */
const namesMax = 6;
const steps = { ArrowLeft: -1, ArrowRight: 1 } as const;

const sumOf = ({ values }: BarRow) => values.reduce((sum, value) => sum + value, 0);

/** Whole numbers from 0 to the greatest value, at most six, which are easy to read. */
export function ticksOf(valueMax: number): number[] {
  const least = Math.max(1, valueMax / 5);
  const power = 10 ** Math.floor(Math.log10(least));
  const step = power * ([1, 2, 5, 10].find((factor) => factor * power >= least) ?? 10);
  return Array.from({ length: Math.max(1, Math.ceil(valueMax / step)) + 1 }, (_, at) => at * step);
}

/** Stacked bars, one for each row. Pointing at one, or the arrow keys, show its values. */
export function BarChart({ label, series, rows, format }: Props) {
  const [shown, setShown] = useState<number | null>(null);
  const ticks = ticksOf(Math.max(0, ...rows.map(sumOf)));
  const top = ticks.at(-1) ?? 1;
  const point = ({ clientX, currentTarget }: PointerEvent) => {
    const { left, width } = currentTarget.getBoundingClientRect();
    const at = Math.floor(((clientX - left) / width) * rows.length);
    setShown(Math.min(rows.length - 1, Math.max(0, at)));
  };
  const press = (event: KeyboardEvent) => {
    const step = steps[event.key as keyof typeof steps];
    if (step === undefined) return;
    event.preventDefault();
    setShown((before) =>
      before === null ? rows.length - 1 : Math.min(rows.length - 1, Math.max(0, before + step)),
    );
  };
  const row = shown === null ? undefined : rows[shown];
  return (
    <>
      <section
        aria-label={label}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: arrow keys show its values
        tabIndex={0}
        onKeyDown={press}
        onBlur={() => setShown(null)}
        className="relative h-64 text-xs text-muted"
      >
        {ticks.map((tick) => (
          <div
            key={tick}
            style={{ bottom: `${(tick / top) * 80 + 10}%` }}
            className="absolute inset-x-0 flex translate-y-1/2 items-center gap-2"
          >
            <span className="w-14 text-right">{format(tick)}</span>
            <span className="flex-1 border-t border-line" />
          </div>
        ))}
        <div
          onPointerMove={point}
          onPointerLeave={() => setShown(null)}
          className="absolute top-[10%] right-8 bottom-[10%] left-18"
        >
          <Bars {...{ series, rows, top, shown }} />
          {row !== undefined && (
            <Values {...{ series, row, format }} at={(shown ?? 0) / rows.length} />
          )}
        </div>
      </section>
      <Legend series={series} />
    </>
  );
}

interface BarsProps extends Pick<Props, "series" | "rows"> {
  top: number;
  shown: number | null;
}

function Bars({ series, rows, top, shown }: BarsProps) {
  const width = `${100 / rows.length}%`;
  const leftOf = (at: number) => `${(at / rows.length) * 100}%`;
  const every = Math.ceil(rows.length / namesMax);
  return (
    <>
      {shown !== null && (
        <div style={{ left: leftOf(shown), width }} className="absolute inset-y-0 bg-sunken" />
      )}
      {rows.map(
        (row, at) =>
          sumOf(row) > 0 && (
            <div
              key={row.id}
              style={{ left: leftOf(at), width, height: `${(sumOf(row) / top) * 100}%` }}
              className="absolute bottom-0 flex flex-col-reverse items-center"
            >
              {series.map(({ name, color }, of) => (
                <div
                  key={name}
                  data-bar
                  style={{ background: color, flexGrow: row.values[of] ?? 0 }}
                  className="w-4/5 max-w-12 basis-0"
                />
              ))}
            </div>
          ),
      )}
      {rows.map(
        ({ id, name }, at) =>
          at % every === 0 && (
            <span
              key={id}
              style={{ left: leftOf(at + 0.5) }}
              className="absolute top-full mt-1 -translate-x-1/2 whitespace-nowrap max-sm:nth-of-type-[even]:hidden"
            >
              {name}
            </span>
          ),
      )}
    </>
  );
}

interface ValuesProps extends Pick<Props, "series" | "format"> {
  row: BarRow;
  /** The position from 0 at the left to 1. */
  at: number;
}

function Values({ series, row, format, at }: ValuesProps) {
  return (
    <div
      role="status"
      style={{ left: `${at * 100}%`, transform: `translateX(-${at * 100}%)` }}
      className="pointer-events-none absolute top-0 z-10 w-max max-w-full rounded-md border border-line bg-raised px-3 py-2 text-sm text-ink shadow-lg"
    >
      <p className="font-medium">{row.name}</p>
      {series.map(
        ({ name }, of) =>
          (row.values[of] ?? 0) > 0 && (
            <p key={name}>
              <bdi>{name}</bdi>: {format(row.values[of] ?? 0)}
            </p>
          ),
      )}
    </div>
  );
}

function Legend({ series }: Pick<Props, "series">) {
  return (
    <ul className="flex flex-wrap justify-center gap-x-4 gap-y-1 text-sm">
      {series.map(({ name, color }) => (
        <li key={name} className="flex items-center gap-1.5">
          <span style={{ background: color }} className="size-3 rounded-sm" />
          <bdi>{name}</bdi>
        </li>
      ))}
    </ul>
  );
}

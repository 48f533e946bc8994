import { currentLanguage } from "../i18n/language.ts";

const locales = { en: "en-GB", zh: "zh-CN" } as const;

function locale(): string {
  return locales[currentLanguage()];
}

const made = new Map<string, unknown>();

/** Making a formatter costs more than using it a hundred times. */
function once<Format>(name: string, make: (locale: string) => Format): Format {
  const key = `${locale()} ${name}`;
  const format = (made.get(key) as Format | undefined) ?? make(locale());
  made.set(key, format);
  return format;
}

function numbers(digitsMax: number): Intl.NumberFormat {
  return once(
    `number ${digitsMax}`,
    (tag) => new Intl.NumberFormat(tag, { maximumFractionDigits: digitsMax }),
  );
}

/** Credits are whole numbers of the service. */
export function formatCredits(credits: number): string {
  return numbers(2).format(credits);
}

export function formatNumber(value: number): string {
  return numbers(3).format(value);
}

export function formatBytes(bytes: number): string {
  const units = ["B", "KB", "MB", "GB", "TB"];
  const step = bytes < 1 ? 0 : Math.min(units.length - 1, Math.floor(Math.log10(bytes) / 3));
  const digits = step === 0 ? 0 : 1;
  return `${numbers(digits).format(bytes / 1000 ** step)} ${units[step]}`;
}

/** 4.2 s, 1:05, 2:03:04. */
export function formatSeconds(seconds: number): string {
  if (seconds < 60) return `${numbers(1).format(seconds)} s`;
  const whole = Math.round(seconds);
  const parts = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60];
  const [hours = 0, minutes = 0, rest = 0] = parts;
  const two = (part: number) => String(part).padStart(2, "0");
  return hours > 0 ? `${hours}:${two(minutes)}:${two(rest)}` : `${minutes}:${two(rest)}`;
}

/** A name has one set of options. */
export function dates(name: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  return once(`dates ${name}`, (tag) => new Intl.DateTimeFormat(tag, options));
}

/** Formats a time in the viewer's zone. */
export function formatTime(ms: number): string {
  return dates("time", { dateStyle: "medium", timeStyle: "medium" }).format(ms);
}

const units = [
  ["day", 86_400_000],
  ["hour", 3_600_000],
  ["minute", 60_000],
  ["second", 1000],
] as const;

/** Formats a time relative to now, such as "5 minutes ago" or "in 2 hours". */
export function formatAgo(ms: number, now: number = Date.now()): string {
  const away = ms - now;
  const [unit, size] = units.find(([, size]) => Math.abs(away) >= size) ?? units[3];
  const options = { numeric: "auto", style: "short" } as const;
  const format = once("ago", (tag) => new Intl.RelativeTimeFormat(tag, options));
  return format.format(Math.trunc(away / size), unit);
}

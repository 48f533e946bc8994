import { type ReactNode, useId } from "react";
import { classNames } from "../../../components/class-names.ts";

interface Choice {
  value: string;
  label: ReactNode;
  /** Why it cannot be chosen now. */
  refusal?: string | null;
}

interface Props {
  title: string;
  help?: string | undefined;
  error?: string | undefined;
  value: string;
  choices: readonly Choice[];
  onChange(value: string): void;
}

/** Native radio buttons, drawn as a row of tiles. */
export function RadioGroup({ title, help, error, value, choices, onChange }: Props) {
  const id = useId();
  const described = [help && `${id}-help`, error && `${id}-error`].filter(Boolean).join(" ");
  return (
    <fieldset className="min-w-0" aria-describedby={described || undefined}>
      <legend className="mb-1 font-medium">{title}</legend>
      <div className="flex flex-wrap gap-1.5">
        {choices.map(({ value: one, label, refusal = null }) => (
          <label
            key={one}
            title={refusal ?? undefined}
            className={classNames(
              "relative flex min-h-9 min-w-12 items-center justify-center rounded-md border px-2.5 py-1",
              "has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-accent",
              one === value
                ? "border-accent bg-accent-soft text-accent-strong"
                : "border-line-strong bg-panel",
              refusal === null ? "cursor-pointer hover:border-accent" : "opacity-55",
            )}
          >
            <input
              type="radio"
              name={id}
              value={one}
              checked={one === value}
              disabled={refusal !== null}
              onChange={() => onChange(one)}
              className="absolute inset-0 cursor-[inherit] opacity-0"
            />
            {label}
            {refusal !== null && <span className="sr-only">. {refusal}</span>}
          </label>
        ))}
      </div>
      {help && (
        <p id={`${id}-help`} className="mt-1 text-sm text-muted">
          {help}
        </p>
      )}
      {error && (
        <p id={`${id}-error`} className="mt-1 text-sm text-bad">
          {error}
        </p>
      )}
    </fieldset>
  );
}

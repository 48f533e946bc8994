import {
  type InputHTMLAttributes,
  type ReactNode,
  type SelectHTMLAttributes,
  type TextareaHTMLAttributes,
  useId,
} from "react";
import { classNames } from "./class-names.ts";

const box =
  "w-full rounded-md border border-line-strong bg-panel px-2.5 text-ink aria-invalid:border-bad disabled:opacity-60";

interface FieldProps {
  label: ReactNode;
  help?: ReactNode;
  error?: ReactNode;
  /** Gets what a control needs to be named and described by this field. */
  children: (control: {
    id: string;
    "aria-describedby": string | undefined;
    "aria-invalid": true | undefined;
  }) => ReactNode;
}

export function Field({ label, help, error, children }: FieldProps) {
  const id = useId();
  const hasError = error !== undefined && error !== null && error !== "";
  const described = [help !== undefined && `${id}-help`, hasError && `${id}-error`].filter(Boolean);
  return (
    <div className="flex flex-col gap-1">
      <label htmlFor={id} className="font-medium">
        {label}
      </label>
      {children({
        id,
        "aria-describedby": described.length > 0 ? described.join(" ") : undefined,
        "aria-invalid": hasError || undefined,
      })}
      {help !== undefined && (
        <p id={`${id}-help`} className="text-sm text-muted">
          {help}
        </p>
      )}
      {hasError && (
        <p id={`${id}-error`} className="text-sm text-bad">
          {error}
        </p>
      )}
    </div>
  );
}

type TextProps = InputHTMLAttributes<HTMLInputElement> & Omit<FieldProps, "children">;

export function TextField({ label, help, error, className, ...rest }: TextProps) {
  return (
    <Field label={label} help={help} error={error}>
      {(control) => (
        <input type="text" {...rest} {...control} className={classNames(box, "h-9", className)} />
      )}
    </Field>
  );
}

type AreaProps = TextareaHTMLAttributes<HTMLTextAreaElement> & Omit<FieldProps, "children">;

export function AreaField({ label, help, error, className, ...rest }: AreaProps) {
  return (
    <Field label={label} help={help} error={error}>
      {(control) => (
        <textarea rows={4} {...rest} {...control} className={classNames(box, "py-2", className)} />
      )}
    </Field>
  );
}

type SelectProps = SelectHTMLAttributes<HTMLSelectElement> & Omit<FieldProps, "children">;

/** `children` are `<option>`s. */
export function SelectField({ label, help, error, className, children, ...rest }: SelectProps) {
  return (
    <Field label={label} help={help} error={error}>
      {(control) => (
        <select {...rest} {...control} className={classNames(box, "h-9", className)}>
          {children}
        </select>
      )}
    </Field>
  );
}

type CheckProps = Omit<InputHTMLAttributes<HTMLInputElement>, "type"> & {
  label: ReactNode;
  help?: ReactNode;
};

export function CheckField({ label, help, ...rest }: CheckProps) {
  const id = useId();
  return (
    <div className="flex items-start gap-2">
      <input
        {...rest}
        id={id}
        type="checkbox"
        aria-describedby={help === undefined ? undefined : `${id}-help`}
        className="mt-0.5 size-4 accent-accent"
      />
      <div>
        <label htmlFor={id}>{label}</label>
        {help !== undefined && (
          <p id={`${id}-help`} className="text-sm text-muted">
            {help}
          </p>
        )}
      </div>
    </div>
  );
}

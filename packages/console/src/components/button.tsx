import type { ComponentProps } from "react";
import { classNames } from "./class-names.ts";
import { Spinner } from "./spinner.tsx";

const variants = {
  primary: "bg-accent text-on-accent hover:bg-accent-strong border-transparent",
  plain: "bg-panel text-ink border-line-strong hover:bg-sunken",
  quiet: "bg-transparent text-ink border-transparent hover:bg-sunken",
  danger: "bg-panel text-bad border-bad hover:bg-bad-soft",
} as const;

export type ButtonVariant = keyof typeof variants;

export function buttonClass(variant: ButtonVariant = "plain", isSmall = false): string {
  return classNames(
    "inline-flex items-center justify-center gap-2 rounded-md border font-medium whitespace-nowrap select-none",
    "disabled:opacity-55 disabled:cursor-not-allowed aria-disabled:opacity-55",
    isSmall ? "h-7 px-2 text-sm" : "h-9 px-3",
    variants[variant],
  );
}

interface Props extends ComponentProps<"button"> {
  variant?: ButtonVariant;
  isSmall?: boolean;
  /** Shows a spinner and ignores further clicks. */
  isBusy?: boolean;
}

export function Button({ variant, isSmall, isBusy = false, className, children, ...rest }: Props) {
  return (
    <button
      type="button"
      aria-busy={isBusy || undefined}
      {...rest}
      disabled={rest.disabled === true || isBusy}
      className={classNames(buttonClass(variant, isSmall), className)}
    >
      {isBusy && <Spinner />}
      {children}
    </button>
  );
}

interface IconButtonProps extends Omit<Props, "children" | "aria-label"> {
  /** A description of the action for people who cannot see the icon. */
  label: string;
  children: React.ReactNode;
}

export function IconButton({ label, className, variant = "quiet", ...rest }: IconButtonProps) {
  return (
    <Button
      {...rest}
      variant={variant}
      aria-label={label}
      title={label}
      className={classNames("w-9 px-0", className)}
    />
  );
}

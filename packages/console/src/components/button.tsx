import type { ButtonHTMLAttributes } from "react";
import { classNames } from "./class-names.ts";
import { Drum } from "./drum.tsx";

const looks = {
  primary: "bg-accent text-on-accent hover:bg-accent-strong border-transparent",
  plain: "bg-panel text-ink border-line-strong hover:bg-sunken",
  quiet: "bg-transparent text-ink border-transparent hover:bg-sunken",
  danger: "bg-panel text-bad border-bad hover:bg-bad-soft",
} as const;

export type ButtonLook = keyof typeof looks;

export function buttonClass(look: ButtonLook = "plain", isSmall = false): string {
  return classNames(
    "inline-flex items-center justify-center gap-2 rounded-md border font-medium whitespace-nowrap select-none",
    "disabled:opacity-55 disabled:cursor-not-allowed aria-disabled:opacity-55",
    isSmall ? "h-7 px-2 text-sm" : "h-9 px-3",
    looks[look],
  );
}

interface Props extends ButtonHTMLAttributes<HTMLButtonElement> {
  look?: ButtonLook;
  isSmall?: boolean;
  /** Shows the turning drum and takes no second click. */
  isBusy?: boolean;
}

export function Button({ look, isSmall, isBusy = false, className, children, ...rest }: Props) {
  return (
    <button
      type="button"
      aria-busy={isBusy || undefined}
      {...rest}
      disabled={rest.disabled === true || isBusy}
      className={classNames(buttonClass(look, isSmall), className)}
    >
      {isBusy && <Drum />}
      {children}
    </button>
  );
}

interface IconButtonProps extends Omit<Props, "children" | "aria-label"> {
  /** What it does, for people who do not see the icon. */
  label: string;
  children: React.ReactNode;
}

export function IconButton({ label, className, look = "quiet", ...rest }: IconButtonProps) {
  return (
    <Button
      {...rest}
      look={look}
      aria-label={label}
      title={label}
      className={classNames("w-9 px-0", className)}
    />
  );
}

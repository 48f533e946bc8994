import type { FormHTMLAttributes } from "react";

interface Props extends Omit<FormHTMLAttributes<HTMLFormElement>, "onSubmit"> {
  /** Until then neither Enter nor the button does anything. */
  isReady?: boolean;
  onSubmit(): void;
}

/** Fields below each other, sent by a script rather than by leaving the page. */
export function Form({
  isReady = true,
  onSubmit,
  className = "flex flex-col gap-3",
  ...rest
}: Props) {
  return (
    <form
      {...rest}
      className={className}
      onSubmit={(event) => {
        event.preventDefault();
        if (isReady) onSubmit();
      }}
    />
  );
}

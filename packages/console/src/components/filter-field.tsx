import { type ComponentProps, type ReactNode, useEffect, useRef, useState } from "react";
import { TextField } from "./field.tsx";

interface Props extends Omit<ComponentProps<typeof TextField>, "value" | "onChange"> {
  value: string;
  onChange(text: string): void;
  /** Whether the service takes this text. Until it does, nothing is asked and the hint is shown. */
  accepts?(text: string): boolean;
  hint?: ReactNode;
}

const pauseMs = 400;

/** Filters once somebody has stopped typing. An empty field is no filter. */
export function FilterField({ value, onChange, accepts, hint, help, ...rest }: Props) {
  const [text, setText] = useState(value);
  const latest = useRef(onChange);
  latest.current = onChange;
  const asked = useRef(value);
  useEffect(() => {
    if (value !== asked.current) setText(value); // by going back, or by a reset
    asked.current = value;
  }, [value]);
  const wanted = text.trim();
  const isAccepted = wanted === "" || accepts === undefined || accepts(wanted);
  useEffect(() => {
    if (wanted === value || !isAccepted) return;
    const timer = setTimeout(() => {
      asked.current = wanted;
      latest.current(wanted);
    }, pauseMs);
    return () => clearTimeout(timer);
  }, [wanted, value, isAccepted]);
  return (
    <TextField
      type="search"
      {...rest}
      help={isAccepted ? help : hint}
      value={text}
      onChange={({ target }) => setText(target.value)}
    />
  );
}

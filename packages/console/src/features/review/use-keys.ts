import { useEffect, useRef, useState } from "react";
import { type Command, commandOf, isPressing, isTyping } from "./keys.ts";

const place = "zoetrope.review-keys";

/** Calls `run` for keys that are commands, unless they are turned off. */
export function useKeys(run: (command: Command) => boolean) {
  const [isOn, setOn] = useState(() => localStorage.getItem(place) !== "off");
  const latest = useRef(run);
  latest.current = run;
  useEffect(() => {
    if (!isOn) return;
    const press = (event: KeyboardEvent) => {
      if (isTyping(event.target) || isPressing(event)) return;
      const command = commandOf(event);
      if (command === null || !latest.current(command)) return;
      event.preventDefault();
      event.stopPropagation(); // a focused player has keys of its own
    };
    window.addEventListener("keydown", press, { capture: true });
    return () => window.removeEventListener("keydown", press, { capture: true });
  }, [isOn]);
  const change = (next: boolean) => {
    localStorage.setItem(place, next ? "on" : "off");
    setOn(next);
  };
  return { isOn, change };
}

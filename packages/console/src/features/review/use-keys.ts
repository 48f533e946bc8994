import { useEffect, useRef, useState } from "react";
import { isDialogOpen, watchDialogs } from "../../components/open-dialogs.ts";
import { type Command, commandOf, isPressing, isTyping } from "./keys.ts";
import { createQuiet } from "./quiet.ts";

const place = "zoetrope.review-keys";

/** Calls `run` for keys that are commands, unless they are turned off or somebody has just written something. */
export function useKeys(run: (command: Command) => boolean) {
  const [isOn, setOn] = useState(() => localStorage.getItem(place) !== "off");
  const [isQuiet, setQuiet] = useState(false);
  const latest = useRef({ run, isOn });
  latest.current = { run, isOn };
  useEffect(() => {
    const quiet = createQuiet(setQuiet);
    const press = (event: KeyboardEvent) => {
      quiet.noteDown(event.code);
      if (isTyping(event.target)) return;
      const command = latest.current.isOn ? commandOf(event) : null;
      if (quiet.isOn()) {
        if (command !== null || isPressing(event)) drop(event);
        return;
      }
      if (command === null || isPressing(event) || !latest.current.run(command)) return;
      drop(event); // a focused player has keys of its own
    };
    const release = (event: KeyboardEvent) => {
      if (quiet.isOn() && !isTyping(event.target) && isPressing(event)) drop(event);
      quiet.noteUp(event.code);
    };
    const away = () => quiet.noteAway();
    window.addEventListener("keydown", press, { capture: true });
    window.addEventListener("keyup", release, { capture: true });
    window.addEventListener("blur", away);
    const unwatch = watchDialogs(() => quiet.noteDialogs(isDialogOpen()));
    return () => {
      window.removeEventListener("keydown", press, { capture: true });
      window.removeEventListener("keyup", release, { capture: true });
      window.removeEventListener("blur", away);
      unwatch();
      quiet.dispose();
    };
  }, []);
  const change = (next: boolean) => {
    localStorage.setItem(place, next ? "on" : "off");
    setOn(next);
  };
  return { isOn, isQuiet, onChange: change };
}

function drop(event: KeyboardEvent): void {
  event.preventDefault();
  event.stopPropagation();
}

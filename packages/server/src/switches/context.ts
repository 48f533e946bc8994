import type { Context } from "../context.ts";
import type { Switches } from "./watch-switches.ts";

export interface SwitchesContext extends Context {
  /** What operators have switched, as this process last read it. */
  switches: Switches;
}

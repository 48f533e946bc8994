import type { Context } from "../context.ts";
import type { Switches } from "./watch-switches.ts";

export interface SwitchesContext extends Context {
  /** The switches that operators have set, as this process last read them. */
  switches: Switches;
}

import type { Context } from "../context.ts";
import type { Passwords } from "./passwords.ts";

export interface PeopleContext extends Context {
  passwords: Passwords;
}

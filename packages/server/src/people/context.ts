import type { Context } from "../context.ts";
import type { GuessLimit } from "./limit-guesses.ts";
import type { Passwords } from "./passwords.ts";

export interface PeopleContext extends Context {
  passwords: Passwords;
  guesses: GuessLimit;
}

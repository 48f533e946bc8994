import type { Context } from "../context.ts";
import type { GuessLimit } from "./limit-guesses.ts";
import type { Provider } from "./oidc/provider.ts";
import type { Passwords } from "./passwords.ts";

export interface PeopleContext extends Context {
  passwords: Passwords;
  guesses: GuessLimit;
  /** The OpenID provider of a company; null: there is none. */
  oidc: Provider | null;
}

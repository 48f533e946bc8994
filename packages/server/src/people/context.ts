import type { DirectoryContext } from "../context.ts";
import type { GuessLimit } from "./limit-guesses.ts";
import type { Provider } from "./oidc/provider.ts";
import type { Passwords } from "./passwords.ts";

/** The tools that only the use cases of people need. */
export interface PeopleTools {
  passwords: Passwords;
  guesses: GuessLimit;
  /** The OpenID provider of a company; null: there is none. */
  oidc: Provider | null;
}

export interface PeopleContext extends DirectoryContext, PeopleTools {}

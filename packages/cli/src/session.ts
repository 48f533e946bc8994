import { Zoetrope } from "@zoetrope/sdk";
import { findLogin, type Login } from "./login/find-login.ts";
import { type Invocation, type Run, textOption } from "./run.ts";
import { openTalk, type Talk } from "./terminal/talk.ts";

/** The client, login and output that a command works with. */
export interface Session {
  client: Zoetrope;
  login: Login;
  talk: Talk;
  run: Run;
  /** Aborted by Ctrl-C. */
  signal: AbortSignal;
}

export async function openSession({ options, run }: Invocation): Promise<Session> {
  run.login ??= findLogin(textOption(options, "baseUrl"));
  const login = await run.login;
  const talk = openTalk(options["json"] === true);
  return { client: new Zoetrope(login), login, talk, run, signal: run.signal };
}

import { createWriteStream } from "node:fs";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { CliError } from "../cli-error.ts";
import { exitCodes } from "../exit-codes.ts";
import { findServiceLogin } from "../login/find-login.ts";
import { type Action, textOption } from "../run.ts";
import { cleanText } from "../terminal/clean-text.ts";
import { openTalk } from "../terminal/talk.ts";
import type { AdminCommand, Answer } from "./admin-command.ts";
import { type AdminRequest, fetchAdmin } from "./client.ts";
import { showAnswer } from "./show-answer.ts";

export function runAdminCommand(command: AdminCommand): Action {
  return async ({ args, options, run }) => {
    const talk = openTalk(options["json"] === true);
    const login = await findServiceLogin(textOption(options, "baseUrl"));
    const context = { signal: run.signal, shard: textOption(options, "shard") };
    const send = (request: AdminRequest) => fetchAdmin(login, request, context);
    const call = async (request: AdminRequest) => readAnswer(await send(request));
    const response = await send(await command.request(args, options, call));
    const output = textOption(options, "output");
    if (output !== undefined) {
      const path = await saveFile(response, output);
      return talk.result({ path }, () => cleanText(path));
    }
    const answer = await readAnswer(response);
    talk.result(answer, () => {
      const next = command.next?.(answer, args) ?? null;
      return [
        ...showAnswer(command, answer),
        ...(next === null ? [] : [cleanText(`Next: ${next}.`)]),
      ];
    });
  };
}

async function readAnswer(response: Response): Promise<Answer> {
  if (!response.ok)
    throw new CliError("The service redirects to another address.", {
      exitCode: exitCodes.usage,
      code: "redirected",
      next: "Set ZOETROPE_BASE_URL to where the service is.",
    });
  return (await response.json()) as Answer;
}

/** Storage serves a file itself by a signed link, which needs no key. */
async function saveFile(response: Response, path: string): Promise<string> {
  const link = response.headers.get("location");
  const { body } = link === null ? response : await fetch(link);
  if (body !== null)
    await pipeline(Readable.fromWeb(body), createWriteStream(path, { mode: 0o600 }));
  return path;
}

import { type Given, numberOption } from "../run.ts";
import { openSession } from "../session.ts";
import { cleanText } from "../terminal/clean-text.ts";
import { formatTime } from "../terminal/format.ts";
import { followEvents } from "./follow-events.ts";

/** One line per end of a task, as JSON for programs. */
export async function tailEvents(given: Given): Promise<void> {
  const session = await openSession(given);
  const after = numberOption(given.options, "after");
  const follow = given.options["follow"] !== false;
  if (follow) session.talk.say("Waiting for ends of tasks. Ctrl-C ends this.");
  for await (const event of followEvents(session, { after, follow })) {
    const { number, createdAt, type, taskId } = event;
    session.talk.result(event, () =>
      cleanText(`${number}  ${formatTime(createdAt)}  ${type}  ${taskId}`),
    );
  }
}

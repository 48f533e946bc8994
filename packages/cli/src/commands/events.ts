import { type Invocation, numberOption } from "../run.ts";
import { openSession } from "../session.ts";
import { cleanText } from "../terminal/clean-text.ts";
import { formatTime } from "../terminal/format.ts";
import { followEvents } from "./follow-events.ts";

/** One line per end of a task, as JSON for programs. */
export async function tailEvents(invocation: Invocation): Promise<void> {
  const session = await openSession(invocation);
  const after = numberOption(invocation.options, "after");
  const follow = invocation.options["follow"] !== false;
  if (follow) session.talk.say("Waiting for tasks to finish. Press Ctrl-C to stop.");
  for await (const event of followEvents(session, { after, follow })) {
    const { number, createdAt, type, taskId } = event;
    session.talk.result(event, () =>
      cleanText(`${number}  ${formatTime(createdAt)}  ${type}  ${taskId}`),
    );
  }
}

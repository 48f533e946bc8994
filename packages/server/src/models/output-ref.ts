/** One of the files that a task has made. Stored with the tasks that use it. */
export interface OutputRef {
  task: string;
  index: number;
}

const form = /^task:\/\/([0-9a-f-]{36})(?:\/(0|[1-9][0-9]{0,2}))?$/;

/** Reads `task://<taskId>/<index>`; without an index it is the first. Null for any other text. */
export function parseOutput(text: string): OutputRef | null {
  const [, task, index = "0"] = form.exec(text) ?? [];
  return task === undefined ? null : { task, index: Number(index) };
}

export function textOfOutput({ task, index }: OutputRef): string {
  return `task://${task}/${index}`;
}

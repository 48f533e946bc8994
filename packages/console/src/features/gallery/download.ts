import { fileNameOf, keptFiles, type MediaFile, type Task } from "./item.ts";

export interface Wanted {
  name: string;
  file: MediaFile;
}

/** The files of these tasks that can be had. */
export function filesOf(tasks: readonly Task[]): Wanted[] {
  return tasks.flatMap((task) =>
    keptFiles(task).map((file, index) => ({ name: fileNameOf(task.taskId, index, file), file })),
  );
}

/** Gives a file to the browser's downloads. Throws if it cannot be had. */
export async function saveFile({ name, file }: Wanted, signal: AbortSignal): Promise<void> {
  const answer = await fetch(file.url, { signal, credentials: "omit" });
  if (!answer.ok) throw new Error(`The file answers ${answer.status}.`);
  const url = URL.createObjectURL(await answer.blob());
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 60_000); // the browser reads it after the click
}

/** The number of open dialogs. */
let count = 0;
const listeners = new Set<() => void>();

function change(by: 1 | -1): void {
  count += by;
  for (const listener of listeners) listener();
}

/** Counts a dialog from now on; what it returns ends that. */
export function noteOpenDialog(): () => void {
  change(1);
  return () => change(-1);
}

export const isDialogOpen = (): boolean => count > 0;

/** Calls the listener after a dialog has opened or closed. */
export function watchDialogs(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

import { useState } from "react";

/** Something that a person starts: whether it runs, and what went wrong last time. */
export function useAction<Arguments extends unknown[]>(
  action: (...given: Arguments) => Promise<void>,
): { run(...given: Arguments): void; isBusy: boolean; error: unknown } {
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const run = (...given: Arguments) => {
    setBusy(true);
    setError(null);
    action(...given)
      .catch((fault: unknown) => setError(fault))
      .finally(() => setBusy(false));
  };
  return { run, isBusy, error };
}

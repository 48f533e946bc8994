/** Why an attempt failed, beside its status: a reason that only repeats the status says nothing more. */
export function reasonBeside(
  status: number | null | undefined,
  reason: string | null | undefined,
): string | null {
  if (reason == null || (status != null && reason.endsWith(` ${status}`))) return null;
  return reason;
}

/** The claim of a submit to Ark, which is looked at again after a second. */
export function claimOf(taskId: string) {
  return { taskId, vendorAccount: "ark", graceMs: 1_000, isAtWork: false };
}

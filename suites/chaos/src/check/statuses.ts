export function isTerminal(status: string): boolean {
  return status === "COMPLETED" || status === "FAILED";
}

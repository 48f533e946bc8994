/** Part of the interface: scripts rely on them. */
export const exitCodes = {
  ok: 0,
  other: 1,
  usage: 2,
  auth: 3,
  credits: 4,
  taskFailed: 5,
  timeout: 6,
  notFound: 7,
  limit: 8,
  unavailable: 9,
  interrupted: 130,
  terminated: 143,
} as const;

export const exitCodeMeanings: Readonly<Record<number, string>> = {
  0: "done",
  1: "any other error",
  2: "the command or its inputs are wrong",
  3: "no API key, or the service refused it (401, 403)",
  4: "not enough credits, or the price is above --max-credits (402)",
  5: "the task failed; nothing was charged",
  6: "--timeout is over; the task continues",
  7: "there is no such task, asset, key or model (404)",
  8: "a limit of the account is reached (429)",
  9: "the service cannot be reached or has a problem (5xx)",
  130: "interrupted by Ctrl-C; a created task continues",
  143: "ended by SIGTERM; a created task continues",
};

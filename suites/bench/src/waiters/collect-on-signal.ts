// Loaded before the api, so that garbage does not count as the clients' memory.
process.on("SIGUSR2", () =>
  globalThis.gc?.({ type: "major", execution: "sync", flavor: "last-resort" }),
);

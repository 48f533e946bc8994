// Loaded before the api: what is garbage is not counted as the clients'.
process.on("SIGUSR2", () =>
  globalThis.gc?.({ type: "major", execution: "sync", flavor: "last-resort" }),
);

/** The names of the processes of each role in Prometheus. */
export const jobs = { api: "zoetrope-api", worker: "zoetrope-worker" } as const;

/** Settings of the service in this network, as in production but for waits. */
export function settingsFor(caFile: string) {
  return {
    serverEnv: {
      ALLOW_LOOPBACK: "false",
      NODE_EXTRA_CA_CERTS: caFile,
      LOG_LEVEL: "info",
      STEP_RETRY_MS_MAX: "3000",
      POLL_FIRST_MS: "2000",
      REVIEW_IMAGE: "",
    },
    sandboxEnv: { SANDBOX_QUEUED_MS: "50", SANDBOX_RUNNING_MS: "50" },
  };
}

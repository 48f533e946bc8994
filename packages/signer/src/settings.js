/** Above it c2pa-rs works in temporary files, in TMPDIR. */
const memoryMegabytesMax = 8;

/**
 * The settings of c2pa-rs. Its defaults would fetch a manifest from the URL that a file names.
 *
 * @param {{ trustAnchors?: string, allowedHosts?: readonly string[] }} own
 */
export function settingsOf({ trustAnchors = "", allowedHosts = [] }) {
  return JSON.stringify({
    core: {
      backing_store_memory_threshold_in_mb: memoryMegabytesMax,
      allowed_network_hosts: allowedHosts,
    },
    verify: {
      verify_after_sign: false,
      verify_trust: true,
      remote_manifest_fetch: false,
      ocsp_fetch: false,
    },
    builder: { thumbnail: { enabled: false } },
    ...(trustAnchors === "" ? {} : { trust: { user_anchors: trustAnchors } }),
  });
}

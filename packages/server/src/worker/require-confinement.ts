import type { Context } from "../context.ts";
import { checkConfinement } from "../media/probe/check-confinement.ts";
import { runUnconfined } from "../media/probe/confine.ts";

const advice =
  "Install bubblewrap and ffmpeg (/usr/bin/bwrap, /usr/bin/ffprobe) and allow user namespaces: " +
  "sysctl kernel.unprivileged_userns_clone=1 or kernel.apparmor_restrict_unprivileged_userns=0; " +
  "in a container, a seccomp profile that allows unshare, mount and pivot_root.";

/** Production does not start if untrusted files would be read without confinement. */
export async function requireConfinement({ config, log }: Context): Promise<void> {
  const { isConfined, fault } = await checkConfinement();
  if (isConfined) return;
  if (config.isProduction)
    throw new Error(`programs that read media cannot be confined: ${fault}. ${advice}`);
  runUnconfined(fault ?? "unknown");
  log.error({ event: "confinement.missing", reason: fault, advice });
}

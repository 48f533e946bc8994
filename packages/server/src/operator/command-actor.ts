import { userInfo } from "node:os";
import type { Actor } from "../ids.ts";

/** Returns the user who runs this command, as the system knows them. */
export function commandActor(): Actor {
  return { kind: "command", user: userName(), address: null, requestId: null };
}

function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return `uid ${process.getuid?.() ?? "unknown"}`; // a container may run as a user without a name
  }
}

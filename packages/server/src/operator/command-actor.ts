import { userInfo } from "node:os";
import type { Actor } from "../actor.ts";

/** Whoever runs this command: as the system knows them, unless they gave another name. */
export function commandActor(user: string = userName()): Actor {
  return { kind: "command", user, address: null, requestId: null };
}

function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return `uid ${process.getuid?.() ?? "unknown"}`; // a container may run as a user without a name
  }
}

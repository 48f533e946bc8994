import { readFile } from "node:fs/promises";

/** Besides a connection for each client. */
const otherFiles = 500;

/** Returns an instruction if one process cannot serve so many clients yet; `null`: it can. Linux only. */
export async function faultOfFileLimit(clients: number): Promise<string | null> {
  const limits = await readFile("/proc/self/limits", "utf8");
  // Node takes what the hard limit allows.
  const hard = /^Max open files\s+\S+\s+(\S+)/m.exec(limits)?.[1] ?? "0";
  const needed = clients + otherFiles;
  if (hard === "unlimited" || Number(hard) >= needed) return null;
  return `A process may open ${hard} files here and needs ${needed} for ${clients} clients. Run 'ulimit -Hn ${needed}' as root first, or ask for fewer clients.`;
}

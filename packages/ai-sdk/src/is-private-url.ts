/** Whether the AI SDK refuses to fetch from here: loopback, private networks, names of local use. */
export function isPrivateUrl(url: string): boolean {
  const host = new URL(url).hostname.toLowerCase().replace(/\.+$/, "");
  if (host.startsWith("[")) return true; // such a link is seen only inside a network
  if (/^\d+\.\d+\.\d+\.\d+$/.test(host)) return isPrivateAddress(host.split(".").map(Number));
  return !host.includes(".") || /\.(local|localhost|internal)$/.test(host);
}

function isPrivateAddress([a = 0, b = 0]: number[]): boolean {
  if (a === 0 || a === 10 || a === 127 || a >= 224) return true;
  if (a === 172) return b >= 16 && b <= 31;
  if (a === 192) return b === 168 || b === 0;
  if (a === 169) return b === 254;
  return (a === 100 && b >= 64 && b <= 127) || (a === 198 && (b === 18 || b === 19));
}

import { execFile } from "node:child_process";
import { once } from "node:events";
import { createReadStream } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { basename, join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);

/** Videos made for a test, and where a caller would keep them. */
export interface VideoServer extends AsyncDisposable {
  /** Renders a video with ffmpeg; answers its path. */
  render(name: string, args: readonly string[]): Promise<string>;
  urlOf(path: string): string;
}

export async function startVideoServer(dir: string): Promise<VideoServer> {
  const server = createServer((request, response) => {
    createReadStream(join(dir, basename(request.url ?? "")))
      .on("error", () => response.writeHead(404).end())
      .pipe(response);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    async render(name, args) {
      const path = join(dir, name);
      await run("ffmpeg", ["-v", "error", "-y", ...args, path]);
      return path;
    },
    urlOf: (path) => `http://127.0.0.1:${port}/${basename(path)}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** A test pattern with a tone: `seconds` long, key frames every two seconds. */
export function pattern(options: {
  size: string;
  rate: number | string;
  seconds: number;
  encoder?: readonly string[];
}): string[] {
  const { size, rate, seconds } = options;
  const encoder = options.encoder ?? ["-c:v", "libx264", "-preset", "ultrafast", "-bf", "2"];
  return [
    ...["-f", "lavfi", "-i", `testsrc2=s=${size}:r=${rate}:d=${seconds}`],
    ...["-f", "lavfi", "-i", `sine=f=440:d=${seconds}`, ...encoder],
    ...["-force_key_frames", "expr:gte(t,n_forced*2)", "-c:a", "aac"],
  ];
}

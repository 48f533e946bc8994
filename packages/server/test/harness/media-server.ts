import { execFile } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { promisify } from "node:util";
import sharp from "sharp";

const run = promisify(execFile);

/** A caller's own web server, by https, with images of one colour each and a sound. */
export interface MediaServer extends AsyncDisposable {
  /** Makes a Node process trust this server. */
  env: { NODE_EXTRA_CA_CERTS: string };
  imageUrl(colour: string): string;
  soundUrl: string;
}

export async function startMediaServer(dir: string): Promise<MediaServer> {
  const sound = join(dir, "sound.mp3");
  const tone = ["-f", "lavfi", "-i", "sine=frequency=440:duration=3"];
  await run("ffmpeg", ["-loglevel", "error", "-y", ...tone, sound]);
  const { key, cert } = await makeCertificate(dir);
  const server = createServer({ key: await readFile(key), cert: await readFile(cert) });
  server.on("request", (request, response) => {
    const [, kind, name = ""] = (request.url ?? "").split("/");
    const isImage = kind === "images";
    const bytes = isImage ? paint(name.replace(".png", "")) : readFile(sound);
    bytes.then(
      (body) => response.setHeader("content-type", isImage ? "image/png" : "audio/mpeg").end(body),
      () => response.writeHead(500).end(),
    );
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const base = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    env: { NODE_EXTRA_CA_CERTS: cert },
    imageUrl: (colour) => `${base}/images/${colour}.png`,
    soundUrl: `${base}/sound.mp3`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** For a server at 127.0.0.1: a key and a certificate, as files. */
export async function makeCertificate(dir: string): Promise<{ key: string; cert: string }> {
  const [key, cert] = [join(dir, "media.key"), join(dir, "media.crt")];
  const kind = ["-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"];
  const name = ["-subj", "/CN=media", "-addext", "subjectAltName=IP:127.0.0.1"];
  await run("openssl", ["req", ...kind, ...name, "-days", "2", "-keyout", key, "-out", cert]);
  return { key, cert };
}

function paint(colour: string): Promise<Buffer> {
  const create = { width: 1280, height: 720, channels: 3, background: colour } as const;
  return sharp({ create }).png().toBuffer();
}

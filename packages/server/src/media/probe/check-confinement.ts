import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ConfinementError, type ConfinementState, confinementState } from "./confine.ts";
import { probeMedia } from "./probe.ts";

const samplesPerSecond = 8_000;
const durationMs = 100;

/** An image of one black pixel. */
const pixel = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAACXBIWXMAAAPoAAAD6AG1e1JrAAAADElEQVQI12NgYGAAAAAEAAEnNCcKAAAAAElFTkSuQmCC",
  "base64",
);

/**
 * Runs ffprobe and the decoder of images confined on files with known facts: where they do not work,
 * files of callers would count as damaged. The result is also in `confinementState`.
 */
export async function checkConfinement(): Promise<ConfinementState> {
  const dir = await mkdtemp(join(tmpdir(), "zoetrope-confinement-"));
  try {
    const [audio, image] = [join(dir, "silence.wav"), join(dir, "pixel.png")];
    await writeFile(audio, silence());
    await writeFile(image, pixel);
    const heard = await probeMedia(audio);
    if (heard?.durationMs !== durationMs || heard.audioCodec !== "pcm_u8")
      return failed("a confined ffprobe did not read an audio file as expected");
    const seen = await probeMedia(image);
    if (seen?.width !== 1 || seen.height !== 1)
      return failed("the confined decoder did not read an image as expected");
    return confinementState();
  } catch (error) {
    if (error instanceof ConfinementError) return confinementState();
    throw error;
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}

function failed(fault: string): ConfinementState {
  return { isConfined: false, fault };
}

/** A WAV file of 8-bit mono silence. */
function silence(): Buffer {
  const samples = (samplesPerSecond * durationMs) / 1000;
  const header = Buffer.alloc(44);
  header.write("RIFF", 0, "latin1");
  header.writeUInt32LE(36 + samples, 4);
  header.write("WAVEfmt ", 8, "latin1");
  header.writeUInt32LE(16, 16);
  header.writeUInt16LE(1, 20); // PCM
  header.writeUInt16LE(1, 22); // channels
  header.writeUInt32LE(samplesPerSecond, 24);
  header.writeUInt32LE(samplesPerSecond, 28); // bytes per second
  header.writeUInt16LE(1, 32); // bytes per sample
  header.writeUInt16LE(8, 34); // bits per sample
  header.write("data", 36, "latin1");
  header.writeUInt32LE(samples, 40);
  return Buffer.concat([header, Buffer.alloc(samples, 0x80)]);
}

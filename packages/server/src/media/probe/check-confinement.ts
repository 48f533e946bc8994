import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ConfinementError, type ConfinementState, confinementState } from "./confine.ts";
import { probeMedia } from "./probe.ts";

const samplesPerSecond = 8_000;
const durationMs = 100;

/** Runs ffprobe confined on a file with known facts. The result is also in `confinementState`. */
export async function checkConfinement(): Promise<ConfinementState> {
  const dir = await mkdtemp(join(tmpdir(), "zoetrope-confinement-"));
  try {
    const path = join(dir, "silence.wav");
    await writeFile(path, silence());
    const facts = await probeMedia(path);
    if (facts?.durationMs === durationMs && facts.audioCodec === "pcm_u8")
      return confinementState();
    return {
      isConfined: false,
      fault: "a confined ffprobe did not read an audio file as expected",
    };
  } catch (error) {
    if (error instanceof ConfinementError) return confinementState();
    throw error;
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
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

import type { Command } from "./keys.ts";

const speeds = [0.25, 0.5, 1, 1.5, 2, 4] as const;
/**
 * The length of a step. Files do not report their frame rate to a page; this steps over no frame of
 * usual ones.
 */
const frameSeconds = 1 / 30;

/** Moves through a video or audio file. Returns whether the command was for it. */
export function control(media: HTMLMediaElement | null, command: Command): boolean {
  if (media === null) return false;
  switch (command.kind) {
    case "play":
      if (media.paused) media.play().catch(() => {});
      else media.pause();
      return true;
    case "mute":
      media.muted = !media.muted;
      return true;
    case "toStart":
      media.currentTime = 0;
      return true;
    case "seek":
      move(media, command.seconds);
      return true;
    case "frame":
      media.pause();
      move(media, command.frames * frameSeconds);
      return true;
    case "speed":
      media.playbackRate = nextSpeed(media.playbackRate, command.step);
      return true;
    default:
      return false;
  }
}

function move(media: HTMLMediaElement, seconds: number): void {
  const end = Number.isFinite(media.duration) ? media.duration : media.currentTime;
  media.currentTime = Math.min(Math.max(0, media.currentTime + seconds), end);
}

function nextSpeed(speed: number, step: 1 | -1): number {
  const at = speeds.findIndex((one) => one >= speed);
  return speeds[Math.min(Math.max(0, at + step), speeds.length - 1)] ?? 1;
}

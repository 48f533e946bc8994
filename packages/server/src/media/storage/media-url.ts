export const mediaPath = "/media";

/** The URL of a stored file on this service. */
export function mediaUrl(publicUrl: string, key: string): string {
  return `${publicUrl}${mediaPath}/${key}`;
}

export const mediaPath = "/media";

/** The address of a stored file on our own domain. */
export function mediaUrl(publicUrl: string, key: string): string {
  return `${publicUrl}${mediaPath}/${key}`;
}

/** The bytes; null for anything but the one spelling that base64 has for them, and for none at all. */
export function decodeBase64(text: string): Buffer | null {
  const bytes = Buffer.from(text, "base64"); // skips whatever is not base64
  return bytes.length > 0 && bytes.toString("base64") === text ? bytes : null;
}

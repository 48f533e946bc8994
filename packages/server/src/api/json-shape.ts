const depthMax = 64;
const valuesMax = 5_000;

const [quote, backslash, comma] = [0x22, 0x5c, 0x2c];
const [openList, closeList, openObject, closeObject] = [0x5b, 0x5d, 0x7b, 0x7d];

/**
 * Returns the fault in the shape of a JSON text: parsing and checking a few kilobytes of brackets or
 * members takes a hundred times as long as finding them. It does not check that the text is JSON; the
 * parser does.
 */
export function faultOfShape(body: Buffer): string | null {
  let depth = 0;
  let values = 1;
  let isInText = false;
  for (let i = 0; i < body.length; i++) {
    const byte = body[i];
    if (isInText) {
      if (byte === backslash) i++;
      else if (byte === quote) isInText = false;
    } else if (byte === quote) isInText = true;
    else if (byte === openList || byte === openObject) {
      if (++depth > depthMax) return `must not be nested more than ${depthMax} levels deep`;
    } else if (byte === closeList || byte === closeObject) depth--;
    else if (byte === comma && ++values > valuesMax)
      return `must not have more than ${valuesMax} values`;
  }
  return null;
}

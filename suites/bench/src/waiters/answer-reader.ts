interface AnswerHandlers {
  head(status: number, etag: string): void;
  body(text: string): void;
  end(): void;
}

/**
 * Reads responses from the bytes of a connection, one after the other, whole or in chunks. It is a
 * minimum of HTTP, so that ten thousand clients are a small load beside the service.
 */
export function createAnswerReader(handlers: AnswerHandlers): (bytes: string) => void {
  let rest = "";
  let isInChunks = false;
  let bodyLeft = 0;

  /** Returns whether there was enough for a step. */
  function readHead(): boolean {
    const at = rest.indexOf("\r\n\r\n");
    if (at < 0) return false;
    const head = rest.slice(0, at);
    rest = rest.slice(at + 4);
    const field = (name: string) => new RegExp(`\r\n${name}: ([^\r]*)`, "i").exec(head)?.[1];
    handlers.head(Number(head.slice(9, 12)), field("etag") ?? "");
    isInChunks = field("transfer-encoding") === "chunked";
    bodyLeft = Number(field("content-length") ?? 0);
    if (!isInChunks && bodyLeft === 0) handlers.end();
    return true;
  }

  function readBody(): boolean {
    if (rest.length < bodyLeft) return false;
    const text = rest.slice(0, bodyLeft);
    rest = rest.slice(bodyLeft);
    bodyLeft = 0;
    handlers.body(text);
    handlers.end();
    return true;
  }

  function readChunk(): boolean {
    const at = rest.indexOf("\r\n");
    const size = Number.parseInt(rest, 16);
    if (at < 0 || rest.length < at + 2 + size + 2) return false;
    const text = rest.slice(at + 2, at + 2 + size);
    rest = rest.slice(at + 2 + size + 2);
    if (size > 0) handlers.body(text);
    else {
      isInChunks = false;
      handlers.end();
    }
    return true;
  }

  return (bytes) => {
    rest += bytes;
    while (isInChunks ? readChunk() : bodyLeft > 0 ? readBody() : readHead());
  };
}

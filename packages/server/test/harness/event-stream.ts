interface StreamEvent {
  id: string;
  event: string;
  data: Record<string, unknown>;
}

/** A client of an event stream that keeps what it received. */
export async function openStream(url: string, headers: Record<string, string>) {
  const leaving = new AbortController();
  const response = await fetch(url, {
    headers: { accept: "text/event-stream", ...headers },
    signal: leaving.signal,
  });
  const events: StreamEvent[] = [];
  const lines = { comments: 0, retry: "" };
  const text = { all: "" };

  function take(block: string): void {
    const fields = new Map(
      block.split("\n").map((line) => {
        const colon = line.indexOf(": ");
        return [line.slice(0, colon), line.slice(colon + 2)] as const;
      }),
    );
    if (block.startsWith(":")) lines.comments++;
    lines.retry ||= fields.get("retry") ?? "";
    const data = fields.get("data");
    if (data === undefined) return;
    events.push({
      id: fields.get("id") ?? "",
      event: fields.get("event") ?? "",
      data: JSON.parse(data),
    });
  }

  async function readAll(): Promise<"ended" | "left"> {
    const decoder = new TextDecoder();
    let rest = "";
    try {
      for await (const chunk of response.body ?? []) {
        const more = decoder.decode(chunk, { stream: true });
        text.all += more;
        const blocks = (rest + more).split("\n\n");
        rest = blocks.pop() ?? "";
        for (const block of blocks) take(block);
      }
      return "ended";
    } catch {
      return "left";
    }
  }

  return {
    status: response.status,
    headers: response.headers,
    events,
    lines,
    text,
    /** The end of the stream. */
    end: readAll(),
    leave: () => leaving.abort(),
    statuses: () => events.map(({ data }) => data["status"]),
  };
}

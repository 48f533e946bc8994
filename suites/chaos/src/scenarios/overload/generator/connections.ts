import { connect, type Socket } from "node:net";

export interface Answer {
  /** 0: the connection broke, or nothing came in time. */
  status: number;
  head: string;
  body: string;
}

/** A bounded number of connections to one server; what finds none free waits in the order of arrival. */
export interface Connections {
  send(request: string, done: (answer: Answer) => void): void;
  close(): void;
}

interface Exchange {
  request: string;
  done(answer: Answer): void;
}

const answerMsMax = 60_000;
const none: Answer = { status: 0, head: "", body: "" };

/**
 * HTTP over plain sockets, one request at a time on each: the generator shares its processors with the
 * service, and a general client would cost as much as what it measures.
 */
export function openConnections(port: number, socketsMax: number): Connections {
  const idle: Lane[] = [];
  const lanes = new Set<Lane>();
  let waiting: Exchange[] = [];
  let taken = 0;

  function next(): Exchange | undefined {
    const exchange = waiting[taken];
    if (exchange === undefined) {
      waiting = [];
      taken = 0;
    } else taken += 1;
    return exchange;
  }

  function go(lane: Lane): void {
    const exchange = next();
    if (exchange === undefined) idle.push(lane);
    else lane.begin(exchange);
  }

  function open(): Lane {
    const lane = openLane(connect(port, "127.0.0.1"), {
      onFree: () => go(lane),
      onGone() {
        lanes.delete(lane);
        const index = idle.indexOf(lane);
        if (index >= 0) idle.splice(index, 1);
        const exchange = next();
        if (exchange !== undefined) open().begin(exchange);
      },
    });
    lanes.add(lane);
    return lane;
  }

  return {
    send(request, done) {
      const lane = idle.pop() ?? (lanes.size < socketsMax ? open() : undefined);
      if (lane === undefined) waiting.push({ request, done });
      else lane.begin({ request, done });
    },
    close() {
      for (const lane of lanes) lane.close();
    },
  };
}

interface Lane {
  begin(exchange: Exchange): void;
  close(): void;
}

function openLane(socket: Socket, events: { onFree(): void; onGone(): void }): Lane {
  let current: Exchange | undefined;
  let text = "";
  const end = (answer: Answer) => {
    const exchange = current;
    current = undefined;
    text = "";
    exchange?.done(answer);
  };
  socket.setNoDelay().setEncoding("latin1").setTimeout(answerMsMax);
  socket.on("timeout", () => socket.destroy()).on("error", () => {});
  socket.on("close", () => {
    end(none);
    events.onGone();
  });
  socket.on("data", (chunk) => {
    text += chunk;
    const answer = parseAnswer(text);
    if (answer === undefined) return;
    end(answer);
    if (/^connection: close/im.test(answer.head)) socket.destroy();
    else events.onFree();
  });
  return {
    begin(exchange) {
      current = exchange;
      socket.write(exchange.request);
    },
    close: () => socket.destroy(),
  };
}

/** Returns a response, or undefined until all of it is there. Every response of these routes has a length. */
export function parseAnswer(text: string): Answer | undefined {
  const headEnd = text.indexOf("\r\n\r\n");
  if (headEnd < 0) return undefined;
  const head = text.slice(0, headEnd);
  const length = Number(/^content-length: (\d+)/im.exec(head)?.[1]);
  const body = text.slice(headEnd + 4);
  return body.length < length ? undefined : { status: Number(head.slice(9, 12)), head, body };
}

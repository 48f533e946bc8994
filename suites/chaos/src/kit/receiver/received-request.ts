/** A callback as it arrived. */
export interface ReceivedRequest {
  /** The time at which its head arrived, in milliseconds since 1970. */
  at: number;
  path: string;
  webhookId: string | null;
  webhookTimestamp: string | null;
  webhookSignature: string | null;
  body: string;
  /** The status of the response; null when the connection was dropped or left waiting instead. */
  answered: number | null;
}

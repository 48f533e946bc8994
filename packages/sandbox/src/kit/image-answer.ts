/** The response of a vendor that returns an image or an error. */
export interface Answer {
  httpStatus: number;
  headers?: Record<string, string>;
  body: object;
  /** The vendor's own code, for the journal; null for an image. */
  code: string | null;
}

/** Thrown where a vendor's rule says no. */
export class RefusalError extends Error {
  readonly answer: Answer;

  constructor(answer: Answer, options?: ErrorOptions) {
    super(`refused with ${answer.httpStatus} ${answer.code}`, options);
    this.answer = answer;
  }
}

/** An input that a vendor cannot work with; each vendor's folder turns `outcome` into its own code. */
export class InputError extends Error {
  readonly outcome: "input_unreachable" | "input_unusable";

  constructor(outcome: InputError["outcome"], message: string, options?: ErrorOptions) {
    super(message, options);
    this.outcome = outcome;
  }
}

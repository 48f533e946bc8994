/** Why a request was refused: its session is not fresh, or was made without a second factor. */
export type ProofReason = "proof_required" | "second_factor_required";

interface Question {
  reason: ProofReason;
  answer(isProved: boolean): void;
}

const channel = new EventTarget();
let asked: Promise<boolean> | null = null;

/** Asks people to prove their identity. Requests that need it at the same time share one question. */
export function askProof(reason: ProofReason): Promise<boolean> {
  asked ??= new Promise<boolean>((resolve) => {
    const question: Question = { reason, answer: resolve };
    channel.dispatchEvent(new CustomEvent("question", { detail: question }));
  }).finally(() => {
    asked = null;
  });
  return asked;
}

export function onQuestion(ask: (question: Question) => void): () => void {
  const listen = (event: Event) => ask((event as CustomEvent<Question>).detail);
  channel.addEventListener("question", listen);
  return () => channel.removeEventListener("question", listen);
}

import { lazy, Suspense, useEffect, useState } from "react";
import { onQuestion, type ProofReason } from "../../lib/ask-proof.ts";

const ProofDialog = lazy(() =>
  import("./proof-dialog.tsx").then(({ ProofDialog: component }) => ({ default: component })),
);

interface Asked {
  reason: ProofReason;
  answer(isProved: boolean): void;
}

/** Shows the question of `askProof`. Its code is loaded when the question is first asked. */
export function ProofHost() {
  const [asked, setAsked] = useState<Asked | null>(null);
  useEffect(() => onQuestion(setAsked), []);
  if (asked === null) return null;
  const end = (isProved: boolean) => {
    setAsked(null);
    asked.answer(isProved);
  };
  return (
    <Suspense>
      <ProofDialog reason={asked.reason} onEnd={end} />
    </Suspense>
  );
}

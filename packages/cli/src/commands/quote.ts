import { uploadInputs } from "../files/upload-inputs.ts";
import { findModel } from "../models/find-model.ts";
import { type Invocation, textOption } from "../run.ts";
import { openSession } from "../session.ts";
import { cleanText } from "../terminal/clean-text.ts";
import { formatTable } from "../terminal/format.ts";
import { startSpinner } from "../terminal/spinner.ts";
import { readInputs, toRequest } from "./read-request.ts";

/** Prints what `generate` with the same arguments would cost. Nothing is held. */
export async function quote(invocation: Invocation): Promise<void> {
  const session = await openSession(invocation);
  const { client, signal, talk } = session;
  const model = await findModel(session, textOption(invocation.options, "model"));
  const wanted = await readInputs(model, invocation);
  const price = await (async () => {
    using spinner = startSpinner(talk);
    const show = (text: string) => spinner.show(text);
    const inputs = await uploadInputs(session, model, wanted, {
      uploads: new Map(),
      until: "stored",
      show,
    });
    return client.quote(toRequest(model.model, inputs, {}), { signal });
  })();
  talk.result(price, () => [
    ...formatTable(
      ["", "QUANTITY", "EACH", "CREDITS"],
      price.items.map(({ description, quantity, unit, creditsPerUnit, credits }) => [
        description,
        `${quantity} ${unit}${quantity === 1 ? "" : "s"}`,
        creditsPerUnit,
        credits,
      ]),
    ),
    cleanText(`${price.credits} credits in all`),
    ...(price.notes ?? []).map(({ message }) => cleanText(message)),
  ]);
}

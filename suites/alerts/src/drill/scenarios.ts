import { callbacksFail } from "./callbacks.ts";
import { certificateExpires } from "./certificate.ts";
import { diskFull } from "./disk.ts";
import { ledgerBroken } from "./ledger.ts";
import { objectives } from "./objectives.ts";
import { outages } from "./outages.ts";
import { rows } from "./rows.ts";
import type { Scenario } from "./scenario.ts";
import { vendors } from "./vendors.ts";

/** One for each alert. */
export const scenarios: readonly Scenario[] = [
  ...outages,
  ...vendors,
  callbacksFail,
  diskFull,
  certificateExpires,
  ledgerBroken,
  ...rows,
  ...objectives,
];

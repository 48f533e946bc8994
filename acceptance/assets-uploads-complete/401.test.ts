import { post, refusesStrangers } from "../src/refuses-strangers.ts";

refusesStrangers(
  "assets/uploads/complete",
  "/api/v1/assets/uploads/complete",
  post({ uploadId: "1" }),
);

import { post, refusesUnauthenticated } from "../src/refuses-unauthenticated.ts";

refusesUnauthenticated(
  "assets/uploads/complete",
  "/api/v1/assets/uploads/complete",
  post({ uploadId: "1" }),
);

import { post, refusesUnauthenticated } from "../src/refuses-unauthenticated.ts";

refusesUnauthenticated(
  "assets/uploads",
  "/api/v1/assets/uploads",
  post({ type: "IMAGE", size: 1_000 }),
);

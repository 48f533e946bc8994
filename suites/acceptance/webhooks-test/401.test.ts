import { post, refusesUnauthenticated } from "../src/refuses-unauthenticated.ts";

refusesUnauthenticated(
  "webhooks/test",
  "/api/v1/webhooks/test",
  post({ url: "https://example.com/" }),
);

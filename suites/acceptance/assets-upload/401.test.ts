import { post, refusesUnauthenticated } from "../src/refuses-unauthenticated.ts";

const body = { url: "https://example.com/a.png", type: "IMAGE" };
refusesUnauthenticated("assets/upload", "/api/v1/assets/upload", post(body));

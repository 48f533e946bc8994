import { post, refusesStrangers } from "../src/refuses-strangers.ts";

const body = { url: "https://example.com/a.png", type: "IMAGE" };
refusesStrangers("assets/upload", "/api/v1/assets/upload", post(body));

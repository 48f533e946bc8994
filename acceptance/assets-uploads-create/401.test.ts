import { post, refusesStrangers } from "../src/refuses-strangers.ts";

refusesStrangers("assets/uploads", "/api/v1/assets/uploads", post({ type: "IMAGE", size: 1_000 }));

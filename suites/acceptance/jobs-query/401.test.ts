import { post, refusesUnauthenticated } from "../src/refuses-unauthenticated.ts";

refusesUnauthenticated("jobs/query", "/api/v1/jobs/query", post({ taskIds: ["1"] }));

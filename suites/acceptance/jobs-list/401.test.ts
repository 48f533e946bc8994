import { refusesUnauthenticated } from "../src/refuses-unauthenticated.ts";

refusesUnauthenticated("jobs/list", "/api/v1/jobs/list");

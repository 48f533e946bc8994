import { refusesUnauthenticated } from "../src/refuses-unauthenticated.ts";

refusesUnauthenticated("queryTask", "/api/v1/jobs/queryTask?taskId=1");

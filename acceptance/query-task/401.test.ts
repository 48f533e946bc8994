import { refusesStrangers } from "../src/refuses-strangers.ts";

refusesStrangers("queryTask", "/api/v1/jobs/queryTask?taskId=1");

import { refusesStrangers } from "../src/refuses-strangers.ts";

refusesStrangers("assets/uploads", "/api/v1/assets/uploads?uploadId=1");

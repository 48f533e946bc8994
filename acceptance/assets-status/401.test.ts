import { refusesStrangers } from "../src/refuses-strangers.ts";

refusesStrangers("assets/status", "/api/v1/assets/status?assetId=1");

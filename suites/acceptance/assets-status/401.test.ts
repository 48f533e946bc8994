import { refusesUnauthenticated } from "../src/refuses-unauthenticated.ts";

refusesUnauthenticated("assets/status", "/api/v1/assets/status?assetId=1");

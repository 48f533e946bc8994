import { refusesStrangers } from "../src/refuses-strangers.ts";

refusesStrangers("DELETE assets", "/api/v1/assets?assetId=1", { method: "DELETE" });

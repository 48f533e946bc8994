/** Types of the API's responses, written after its documents: nothing here comes from the server's code. */

/** A task as its owner sees it. */
export interface Task {
  taskId: string;
  model: string;
  status: "PENDING" | "PROCESSING" | "COMPLETED" | "FAILED";
  creditsUsed: number;
  output: { url: string; width: number; height: number; expiresAt: number | null }[] | null;
  error: string | null;
  errorCode: string | null;
  notes?: Note[];
  createTime: number;
  completeTime: number | null;
}

export interface Upscale {
  taskId: string;
  status: "validating" | "processing" | "completed" | "failed";
  targetResolution: string;
  progress: number;
  creditsConsumed: number | null;
  result: {
    url: string;
    width: number;
    height: number;
    probedDurationSeconds: number;
    probedSourceResolution: string;
  } | null;
  error: { code: string; message: string } | null;
  createdAt: string;
  finishedAt: string | null;
}

export interface Balance {
  credits: number;
  availableCredits: number;
}

interface Note {
  param: string;
  message: string;
}

export interface Quote {
  credits: number;
  notes?: Note[];
  items: {
    item: string;
    description: string;
    unit: string;
    quantity: number;
    creditsPerUnit: number;
    credits: number;
  }[];
}

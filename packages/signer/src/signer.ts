import { fileURLToPath } from "node:url";
import { explanation, type MadeCertificates, makeCertificates } from "./make-certificates.ts";

/** The program of `protocol.ts`, and the folder of everything that it loads. */
interface Program {
  dir: string;
  /** Below `dir`. */
  path: string;
}

interface Signer {
  program: Program;
  makeCertificates(options: Parameters<typeof makeCertificates>[0]): Promise<MadeCertificates>;
  /** The text for operators about the certificates that were made. */
  explanation: string;
}

export const signer: Signer = {
  program: { dir: fileURLToPath(new URL("..", import.meta.url)), path: "src/sign-main.js" },
  makeCertificates,
  explanation,
};

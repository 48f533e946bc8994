/** The program that signs and reads files, and what makes certificates for it. */
export interface Signer {
  program: {
    /** The folder of everything that it loads. */
    dir: string;
    /** Below `dir`. */
    path: string;
  };
  makeCertificates(options: CertificateOptions): Promise<MadeCertificates>;
  /** The text for operators about the certificates that were made. */
  explanation: string;
}

interface CertificateOptions {
  dir: string;
  organisation: string;
  country: string | null;
  days: number;
  issuerDir: string | null;
}

interface MadeCertificates {
  certificateFile: string;
  keyFile: string;
  rootFile: string | null;
  offlineFiles: string[];
  validTo: Date;
}

/** The package is optional: the parser in it has 48 MB. Only its program loads the parser. */
export async function loadSigner(): Promise<Signer> {
  try {
    return (await import("@zoetrope/signer")).signer;
  } catch (cause) {
    throw new Error(
      "Signing files and reading their signatures needs the package @zoetrope/signer. Install it with " +
        "`npm ci --prefix packages/signer`.",
      { cause },
    );
  }
}

/** Name of the PDF file of a document: derived from the number, stable, and unique per document. */
import type { Submission } from "./Submission.ts"
import { createHash } from "node:crypto"

/** In every file system, without case conflicts. */
const isPlain = (text: string): boolean => /^[A-Z0-9][A-Z0-9_.-]{0,80}$/.test(text) && !text.endsWith(".")

/**
 * Returns the file name: `INV-1.pdf`, `CN-1.credit-note.pdf`.
 *
 * A hash is added for a number that is not a safe file name, and whenever several accounts share a
 * folder. Unsafe characters become `_`.
 */
export const nameOf = (
  { account, id, kind, number }: Pick<Submission, "account" | "id" | "kind"> & { readonly number: string },
  accounts: "one" | "several"
): string => {
  const suffix = kind === "invoice" ? "" : `.${kind}`
  if (isPlain(number) && accounts === "one") return `${number}${suffix}.pdf`
  const hash = createHash("sha256")
    .update(JSON.stringify([account, kind, id, number]))
    .digest("hex")
    .slice(0, 8)
  return `${number.replaceAll(/[^\w.-]+/g, "_").slice(0, 60)}-${hash}${suffix}.pdf`
}

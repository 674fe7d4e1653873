/** What the file of a document's PDF is called: after its number, the same every time, and no two documents alike. */
import type { Submission } from "./Submission.ts"
import { createHash } from "node:crypto"

/** What every file system takes as it stands, and keeps apart from others. */
const isPlain = (text: string): boolean => /^[A-Z0-9][A-Z0-9_.-]{0,80}$/.test(text) && !text.endsWith(".")

/**
 * `INV-1.pdf`, `CN-1.credit-note.pdf`. A number that is no name of a file is made one; that, and one that several taxpayers may have, goes with a
 * hash that tells it from others.
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

/** What there is to do once documents are fiscalised. */
import type { CallShape } from "./Call.ts"

const as = ["config", "account"]

export const afterwards = (call: CallShape): string => {
  const pdfs = call.next({ command: ["pdf"], as, flags: ["--all", "--out-dir", "pdf"] })
  return `Their PDFs, and the fiscal day once it is closed:\n  ${pdfs}\n  ${call.next({ command: ["z-reports"], as })}`
}

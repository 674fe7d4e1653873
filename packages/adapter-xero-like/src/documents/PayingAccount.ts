/**
 * Account into which a document was paid, for mapping books that identify payment methods by it.
 */
import type { ContactMatch } from "../values/ContactDetails.ts"
import { Document } from "../values/Fields.ts"
import { accountOf, type Joins } from "../joins/Joins.ts"
import type { XeroNotes } from "../values/Notes.ts"
import type { Shape } from "../values/Shape.ts"
import { XeroFinding } from "../finding/XeroFinding.ts"
import type { XeroLikeOptions } from "../options/XeroLikeOptions.ts"

export const payingAccountOf = (
  { id, records: [head] }: Shape,
  joins: Joins,
  options: XeroLikeOptions,
  notes: XeroNotes
): ContactMatch | undefined => {
  if (options.paymentMethod !== "paying-account") return undefined
  const own = head.list(Document.payments).flatMap((payment) => accountOf(payment) ?? [])
  const accounts = [...own, ...(joins.accounts.get(id ?? "") ?? [])]
  const [first] = accounts
  if (first === undefined || accounts.every(({ value }) => value === first.value)) return first
  const codes = [...new Set(accounts.map(({ value }) => value))].join(", ")
  notes.add(XeroFinding.XERO_PAYING_ACCOUNTS_DIFFER, ["paymentMethod"], first.at, { detail: codes.slice(0, 200) })
  return undefined
}

/** Finds the documents named in a call's body or path, for faults and the call log. */
import type { Operation } from "../fault/Fault.ts"
import type * as FaultBook from "../fault/FaultBook.ts"
import type { SandboxAccount, WorldState } from "../gateway/World.ts"

export interface CallSubject extends FaultBook.CallSubject {
  readonly ids: number | null
}

const loosely = (bytes: Uint8Array): unknown => {
  try {
    return JSON.parse(Buffer.from(bytes).toString("utf8"))
  } catch {
    return undefined
  }
}

const names = (body: unknown): ReadonlyArray<string> => {
  if (typeof body !== "object" || body === null) return []
  const members = body as { readonly [key: string]: unknown }
  return ["InvoiceId", "CreditNoteId", "InvoiceNumber", "CreditNoteNumber"].flatMap((field) => {
    const value = members[field]
    return typeof value === "string" ? [value] : []
  })
}

const documentsOf = (world: WorldState, requestIds: ReadonlyArray<unknown>): ReadonlyArray<string> =>
  requestIds.flatMap((id) => {
    const document = typeof id === "string" ? world.submissions.get(id)?.document : undefined
    return document === undefined ? [] : [document.id, document.number]
  })

export const of = (
  world: WorldState,
  operation: Operation,
  account: SandboxAccount | undefined,
  url: string,
  body: Uint8Array
): CallSubject => {
  const base = { operation, account: account?.name, ids: null }
  switch (operation) {
    case "submitInvoice":
    case "submitCreditNote":
      return { ...base, documents: names(loosely(body)) }
    case "status": {
      const ids = loosely(body)
      return Array.isArray(ids)
        ? { ...base, documents: documentsOf(world, ids), ids: ids.length }
        : { ...base, documents: [] }
    }
    case "downloadPdf":
      return { ...base, documents: documentsOf(world, [/\/([^/?]+)\.pdf/.exec(url)?.[1]]) }
    default:
      return { ...base, documents: [] }
  }
}

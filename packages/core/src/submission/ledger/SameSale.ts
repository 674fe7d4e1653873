/**
 * Two documents whose numbers have the same fold: possibly the same sale in another spelling, a
 * later version of it, or another document. Pure: the plan shows the result, and the planning
 * transaction applies it.
 */
import type { CivilDate } from "../../document/CivilDate.ts"
import type { DocumentKind } from "../../document/FiscalDocument.ts"
import * as NumberFold from "../../document/NumberFold.ts"

/** `Unknown`: forgotten, or registered without a buyer. Equals every buyer. */
export type SaleBuyer =
  | { readonly _tag: "Named"; readonly name: string }
  | { readonly _tag: "WalkIn" }
  | { readonly _tag: "Unknown" }

/** Facts of a sale. `total`: as `Money.formatAmount` writes it. */
export interface Sale {
  readonly kind: DocumentKind
  readonly number: string
  readonly day: CivilDate | null
  readonly currency: string
  readonly total: string
  readonly buyer: SaleBuyer
}

export interface SaleKey {
  readonly account: string
  readonly kind: DocumentKind
  readonly id: string
}

export interface ReplacedSale {
  readonly by: "id" | "number"
  readonly value: string
  /** Document that the replaced one replaces, as the same export states it. */
  readonly before?: ReplacedSale
}

export interface KnownSale extends Sale, SaleKey {
  readonly folded: string
  readonly state: string
  readonly registeredOn: CivilDate | null
  readonly receipt: string | null
  readonly registration: "registered" | "none"
  /** `asks`: held by such a question itself, so that no other document waits for it. */
  readonly standing: "asks" | "own"
}

export type Differs = "nothing" | "buyer" | "day" | "total"

const isBuyer = (one: SaleBuyer, other: SaleBuyer): boolean => {
  if (one._tag === "Unknown" || other._tag === "Unknown") return true
  if (one._tag === "WalkIn" || other._tag === "WalkIn") return one._tag === other._tag
  return NumberFold.of(one.name) === NumberFold.of(other.name)
}

/**
 * Returns what differs if the two may be one sale, or null if they are different documents. One
 * difference counts only if a buyer has a name: many sales of a shop are alike.
 */
export const differs = (one: Sale, other: Sale): Differs | null => {
  if (one.kind !== other.kind || one.number === other.number || one.currency !== other.currency) return null
  const found: ReadonlyArray<Differs> = [
    ...(isBuyer(one.buyer, other.buyer) ? [] : (["buyer"] as const)),
    ...(one.day === other.day ? [] : (["day"] as const)),
    ...(one.total === other.total ? [] : (["total"] as const))
  ]
  const isNamed = one.buyer._tag === "Named" || other.buyer._tag === "Named"
  return found.length === 0 ? "nothing" : found.length === 1 && isNamed ? found[0]! : null
}

/** Describes a registration: `fiscalised elsewhere (registered on 2026-11-27)`. */
export const elsewhere = ({ registeredOn }: Pick<KnownSale, "registeredOn">): string =>
  `fiscalised elsewhere (registered ${registeredOn === null ? "before" : `on ${registeredOn}`})`

export const stateThen = (state: string): string =>
  state === "Fiscalised" ? state : `${state} when they were compared`

type Other = Pick<KnownSale, "day" | "number" | "receipt" | "registeredOn" | "state" | "currency" | "total">

export const question = (one: Sale, other: Other, difference: Differs): string => {
  const state = other.state === "elsewhere" ? elsewhere(other) : stateThen(other.state)
  const receipt = other.receipt === null ? "" : `, receipt ${other.receipt}`
  const known = `${other.number} of ${other.day ?? "an unknown day"} (${state}${receipt})`
  if (difference === "nothing") return `possible duplicate: ${known} differs only in the spelling of the number`
  const figures = {
    buyer: "",
    day: `, here ${one.day ?? "unknown"}`,
    total: `, there ${other.currency} ${other.total}, here ${one.currency} ${one.total}`
  }
  return `probably a later version of ${known}: only the ${difference} differs${figures[difference]}`
}

export interface SameSaleQuestion {
  readonly other: SaleKey
  readonly differs: Differs
  readonly text: string
}

const isSame = (one: SaleKey, other: SaleKey): boolean =>
  one.account === other.account && one.kind === other.kind && one.id === other.id

/**
 * Returns the question about the document: its own registration as fiscalized elsewhere, or another
 * sale that may be the same one. A sale that differs in nothing comes first.
 */
export const questionAbout = (
  sale: Sale & SaleKey,
  others: ReadonlyArray<KnownSale>,
  isSettled: (document: SaleKey, other: SaleKey) => boolean
): SameSaleQuestion | null => {
  const open = others.flatMap((other): ReadonlyArray<SameSaleQuestion> => {
    const isOwn = isSame(sale, other)
    if (isSettled(sale, other) || (isOwn ? other.registration === "none" : other.standing === "asks")) return []
    const found = isOwn ? "nothing" : differs(sale, other)
    if (found === null) return []
    const text = isOwn ? elsewhere(other) : question(sale, other, found)
    return [{ other: { account: other.account, kind: other.kind, id: other.id }, differs: found, text }]
  })
  return open.find(({ differs }) => differs === "nothing") ?? open[0] ?? null
}

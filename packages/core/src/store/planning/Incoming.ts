import { Array as Arr, Effect } from "effect"
import * as Instant from "../../document/Instant.ts"
import * as Money from "../../document/Money.ts"
import * as NumberFold from "../../document/NumberFold.ts"
import { causeNamed, type PlannedDocument, type SubmissionKey } from "../../submission/PlannedDocument.ts"
import type { Hold } from "../../submission/Submission.ts"
import { type Integer, unsettledOrder } from "../rows/Rows.ts"
import { keyText } from "../lanes/Relations.ts"
import type { Transaction } from "../database/Transaction.ts"

export interface Incoming {
  readonly document: PlannedDocument
  readonly key: SubmissionKey
  readonly number: string
  readonly folded: string
  readonly body: string
  readonly hold: Hold | null
}

export const make = (document: PlannedDocument): Incoming => ({
  document,
  key: { account: document.account, kind: document.document.kind, id: document.document.id },
  number: document.document.number,
  folded: NumberFold.of(document.document.number),
  body: document.document.text,
  hold: document.held === null ? null : { cause: causeNamed(document.heldCause ?? "operator"), text: document.held }
})

export const columnsOf = ({ document, hold, number }: Incoming) => {
  const settled = document.receiptDate === "at-submission" ? null : document.receiptDate
  return {
    lane: document.lane,
    taxpayer: document.taxpayer,
    environment: document.environment,
    number,
    fingerprint: document.fingerprint,
    restated: null,
    source_date: document.sourceDate,
    receipt_at: settled === null ? null : Instant.seconds(settled),
    receipt_text: settled === null ? null : Instant.format(settled),
    lane_order: settled === null ? unsettledOrder : Instant.seconds(settled),
    dated: document.dated ?? ("stated" as const),
    zone: document.zone ?? "+00:00",
    good_until: document.validUntil ?? null,
    late: document.late ?? ("hold" as const),
    passage: document.timing ?? ("ordinary" as const),
    original_account: document.original?.account ?? null,
    original_id: document.original?.id ?? null,
    made: document.prepared === undefined ? null : ("here" as const),
    receipt: document.prepared?.receipt ?? null,
    hold_cause: hold?.cause ?? null,
    hold_because: hold?.text ?? null
  }
}

export const payloadOf = ({ body, document }: Incoming, submission: Integer, revision: number, now: number) => {
  const { meaning } = document
  const { buyer, currency, total } = document.document
  return {
    submission,
    revision,
    planned_at: now,
    buyer,
    currency,
    total: Money.formatAmount(total),
    source: JSON.stringify(document.source),
    body,
    meaning: meaning === undefined ? null : JSON.stringify(meaning)
  }
}

export const takeNumbers = ({ sql }: Transaction, documents: Arr.NonEmptyReadonlyArray<Incoming>) =>
  Effect.gen(function* () {
    const taken = new Map<Incoming, SubmissionKey>()
    const claims = Arr.map(documents, ({ document, folded, key, number }) => ({
      taxpayer: document.taxpayer,
      number,
      folded,
      ...key
    }))
    yield* sql`insert into fiscal_number ${sql.insert(claims)} on conflict (taxpayer, number) do nothing`
    const byTaxpayer = Map.groupBy(documents, ({ document }) => document.taxpayer)
    for (const [taxpayer, group] of byTaxpayer) {
      const numbers = group.map(({ number }) => number)
      const rows = yield* sql<
        SubmissionKey & { readonly number: string }
      >`select number, account, kind, id from fiscal_number
        where taxpayer = ${taxpayer} and ${sql.in("number", numbers)}`
      const holders = new Map(rows.map((row) => [row.number, row]))
      for (const document of group) {
        const holder = holders.get(document.number)
        if (holder !== undefined && keyText(holder) !== keyText(document.key)) {
          taken.set(document, { account: holder.account, kind: holder.kind, id: holder.id })
        }
      }
    }
    return taken
  })

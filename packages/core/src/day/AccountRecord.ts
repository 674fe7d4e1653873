/** The record of written reports: their figures are kept, so that a later change is stated. */
import type { DateTime, Effect } from "effect"
import * as CivilDate from "../document/CivilDate.ts"
import * as Money from "../document/Money.ts"
import type { StoreError } from "../submission/ledger/StoreError.ts"
import type { RecordedDecision } from "../submission/OperatorRecord.ts"
import { SubmissionStore } from "../submission/SubmissionStore.ts"
import * as Account from "./Account.ts"
import type { Reconciliation } from "./Reconciliation.ts"

/** Subject of a report in the record of decisions. */
export const subjectOf = ({ from, to }: Account.Period): string => `report of ${from} to ${to}`

/** States the figures that a report records: the same text is the same account. */
const figuresIn = ({ chains, closing, deviceSums }: Reconciliation): string =>
  [
    ...Array.from(chains ?? [], ([currency, rows]) => {
      const of = (name: Account.RowName) => Money.formatAmount(Account.netOf(rows.find((row) => row.name === name)!))
      const left = Money.formatAmount(deviceSums.get(currency)!.left)
      return `${currency}: issued ${of("issued")}, receipts ${of("receipts")}, carried in ${of("carried-in")}, carried out ${of("carried-out")}, left ${left}`
    }),
    `${closing.length} carried out`
  ].join("; ")

/** States the amounts of the tax return by tax of the device, as a report records them. */
const sharesIn = ({ chains }: Reconciliation): string =>
  Array.from(chains ?? [], ([currency, rows]) =>
    rows.flatMap(({ name, shares }) =>
      shares.map(
        ({ device, gross, kind, tax }) =>
          `${currency} ${Account.rows[name].words} ${kind} ${device ?? "not known"}: ${Money.formatAmount(gross)}, tax ${Money.formatAmount(tax)}`
      )
    )
  )
    .flat()
    .toSorted()
    .join("; ")

/** States what changed since the last report of the period. Null if nothing did. */
export const changedSince = (found: Reconciliation): string | null => {
  const { reported, zone } = found
  if (reported === null) return null
  // a report of an earlier version has no shares
  const [before = "", , shares] = reported.what.split(" | ")
  const [now, ofTaxes] = [figuresIn(found), sharesIn(found)]
  const by = `The period was reported on ${CivilDate.inZone(reported.at, zone)} by ${reported.who}`
  if (before !== now) return `${by}: ${before}. Now: ${now}.`
  if (shares === undefined || shares === ofTaxes) return null
  const [was, is] = [shares, ofTaxes].map((text) => text.split("; "))
  const gone = was!.filter((one) => !is!.includes(one))
  const come = is!.filter((one) => !was!.includes(one))
  return `${by}. Since then the amounts of taxes changed. Reported: ${gone.join("; ") || "none"}. Now: ${come.join("; ") || "none"}.`
}

/** Records that a report was written, with its figures and hash. */
export const recordReport = (found: Reconciliation, sha256: string): Effect.Effect<void, StoreError, SubmissionStore> =>
  SubmissionStore.use((store) =>
    store.recordDecision(
      {
        act: "report",
        account: found.account,
        subject: subjectOf(found.period),
        what: `${figuresIn(found)} | sha256 ${sha256} | ${sharesIn(found)}`,
        because: null
      },
      "each"
    )
  )

/** Returns the decisions of the period, by the days of the zone. */
export const within = (
  decisions: ReadonlyArray<RecordedDecision>,
  { from, to }: Account.Period,
  zone: DateTime.TimeZone
): ReadonlyArray<RecordedDecision> =>
  decisions.filter(({ at }) => {
    const day = CivilDate.inZone(at, zone)
    return day >= from && day <= to
  })

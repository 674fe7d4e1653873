/** Reads what the store has seen of an account's gateway (submission/ledger/GatewaySeen). */
import { Duration, Effect } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import type { GatewaySeen } from "../../submission/ledger/GatewaySeen.ts"
import { hasCode } from "../../submission/ledger/LaneFailures.ts"
import { ruleCodes } from "../../submission/ledger/StatedFailure.ts"
import * as Patience from "../../submission/ledger/Patience.ts"
import { type AttemptRow, type Integer, number, type OutcomeRow, proofOf, rejectionOf } from "../rows/Rows.ts"

const most = 5000

type SeenAttemptRow = Pick<
  AttemptRow,
  "id" | "submission" | "repeats" | "begun_at" | "finished_at" | "result" | "request_id" | "named_by" | "mentioned_at"
> &
  Pick<AttemptRow, "status" | "possibly_processed">

type AnswerRow = Pick<OutcomeRow, "id" | "attempt" | "request_id" | "source" | "outcome" | "detail" | "arrived_at"> & {
  readonly submission: Integer | null
}

const shared = (values: ReadonlyArray<string>): number =>
  [...Map.groupBy(values, (value) => value).values()].reduce((sum, { length }) => sum + (length > 1 ? length : 0), 0)

const receiptsOf = (answers: ReadonlyArray<AnswerRow>) => {
  // one receipt per request; the order of attempts is the order of acceptance
  const byRequest = new Map(
    answers.filter(({ outcome }) => outcome === "Fiscalised").map((row) => [row.request_id, row] as const)
  )
  const proofs = [...byRequest.values()]
    .toSorted((a, b) => number(a.attempt ?? 0) - number(b.attempt ?? 0))
    .map((row) => ({ ...proofOf(row.detail, () => `detail of outcome ${row.id}`), submission: row.submission }))
  const codes = proofs.flatMap(({ submission, verificationCode }) =>
    submission === null || verificationCode === null ? [] : [{ verificationCode, submission: String(submission) }]
  )
  const documentsOf = Map.groupBy(codes, ({ verificationCode }) => verificationCode)
  const numbered = proofs.flatMap(({ deviceId, fiscalDay, invoiceNumber }) =>
    invoiceNumber === null ? [] : [{ day: `${deviceId} ${fiscalDay}`, number: invoiceNumber }]
  )
  return {
    all: proofs.length,
    withoutProof: proofs.filter(({ qrCodeUrl, verificationCode }) => verificationCode === null && qrCodeUrl === null)
      .length,
    sharedProof: codes.filter(
      ({ verificationCode }) => new Set(documentsOf.get(verificationCode)!.map(({ submission }) => submission)).size > 1
    ).length,
    sharedNumber: shared(numbered.map(({ day, number }) => `${day} ${number}`)),
    outOfOrder: numbered.filter(({ day, number }, n) => {
      const before = numbered[n - 1]
      return before !== undefined && before.day === day && before.number > number
    }).length,
    pdfs: proofs.filter(({ fiscalInvoicePdf }) => fiscalInvoicePdf !== null).length,
    pdfPaths: proofs.filter(({ fiscalInvoicePdf }) => fiscalInvoicePdf !== null && /[\\/]/.test(fiscalInvoicePdf))
      .length
  }
}

interface TextRow {
  readonly request_id: string
  readonly text: string
  readonly nature: string
}

const failuresOf = (answers: ReadonlyArray<AnswerRow>, unproven: ReadonlyArray<TextRow>) => {
  const settled = answers
    .filter(({ outcome, source }) => outcome === "Rejected" && source !== "operator")
    .map((row) => ({ ...rejectionOf(row.detail, () => `detail of outcome ${row.id}`), id: row.request_id }))
  const isSettled = new Set(settled.map(({ id }) => id))
  const texts = unproven.flatMap(({ nature, request_id: id, text: error }) =>
    isSettled.has(id) ? [] : [{ error, nature, id }]
  )
  const failures = [...settled, ...texts]
  const succeeded = new Set(
    answers.flatMap(({ outcome, request_id }) => (outcome === "Fiscalised" ? [request_id] : []))
  )
  const thenSuccess = (some: typeof failures) =>
    new Set(some.map(({ id }) => id).filter((id) => succeeded.has(id))).size
  const isOfRule = ({ error }: { readonly error: string }) => ruleCodes(error).length > 0
  return {
    all: failures.length,
    coded: failures.filter(({ error }) => hasCode(error)).length,
    final: failures.filter(({ nature }) => nature === "final").length,
    thenSuccess: {
      coded: thenSuccess(settled.filter(isOfRule)),
      settled: thenSuccess(settled.filter((one) => !isOfRule(one))),
      text: thenSuccess(texts)
    }
  }
}

const toOutcomeOf = (sent: ReadonlyMap<number, SeenAttemptRow>, answers: ReadonlyArray<AnswerRow>) => {
  const millis = answers
    .flatMap(({ arrived_at, attempt, outcome, source }) => {
      const accepted = attempt === null ? undefined : sent.get(number(attempt))?.finished_at
      if (accepted == null || outcome === "Expired" || source === "operator") return []
      return [Math.max(0, number(arrived_at) - number(accepted))]
    })
    .toSorted((a, b) => a - b)
  return millis.length === 0
    ? null
    : { medianMillis: millis[Math.floor(millis.length / 2)]!, longestMillis: millis.at(-1)! }
}

const retriesOf = (sent: ReadonlyArray<SeenAttemptRow>, answers: ReadonlyArray<AnswerRow>) => {
  const bySubmission = Map.groupBy(sent, ({ submission }) => String(submission))
  const retries = sent.filter(({ repeats, request_id }) => repeats === "retry" && request_id !== null)
  const receipts = Map.groupBy(
    answers.filter(({ outcome, submission }) => outcome === "Fiscalised" && submission !== null),
    ({ submission }) => String(submission)
  )
  return {
    all: retries.length,
    sameId: retries.filter(({ id, request_id, submission }) =>
      bySubmission.get(String(submission))!.some((one) => number(one.id) < number(id) && one.request_id === request_id)
    ).length,
    twoReceipts: [...receipts.values()].filter((rows) => new Set(rows.map(({ request_id }) => request_id)).size > 1)
      .length
  }
}

const refusalsOf = (sent: ReadonlyArray<SeenAttemptRow>, answers: ReadonlyArray<AnswerRow>) => {
  const refused = sent.filter(({ possibly_processed, status }) => status !== null && number(possibly_processed) === 0)
  const within = Duration.toMillis(Patience.elimination.is)
  return {
    refused: [...Map.groupBy(refused, ({ status }) => number(status!))]
      .map(([status, { length: count }]) => ({ status, count }))
      .toSorted((a, b) => a.status - b.status),
    afterRefusal: answers.filter(
      ({ arrived_at, submission }) =>
        submission === null &&
        refused.some(({ begun_at }) => {
          const later = number(arrived_at) - number(begun_at)
          return later >= 0 && later <= within
        })
    ).length
  }
}

export const gatewaySeen = (sql: SqlClient, account: string): Effect.Effect<GatewaySeen, SqlError> =>
  Effect.gen(function* () {
    const sent =
      yield* sql<SeenAttemptRow>`select id, submission, repeats, begun_at, finished_at, result, request_id, named_by,
        mentioned_at, status, possibly_processed
      from fiscal_attempt where account = ${account} order by id desc limit ${most}`
    const answers =
      yield* sql<AnswerRow>`select id, attempt, submission, request_id, source, outcome, detail, arrived_at
      from fiscal_outcome where account = ${account} order by id desc limit ${most}`
    const unproven = yield* sql<TextRow>`select request_id, text, nature from fiscal_statement
      where account = ${account} order by last_at desc limit ${most}`
    const byId = new Map(sent.map((row) => [number(row.id), row]))
    const ids = sent.flatMap(({ named_by, request_id }) =>
      request_id === null || named_by !== null ? [] : [request_id]
    )
    const delivered = answers.filter(({ source }) => source === "webhook")
    return {
      requestIds: {
        all: ids.length,
        quoted: ids.filter((id) => id.includes('"')).length,
        withoutDigit: ids.filter((id) => !/\d/.test(id)).length
      },
      pending: sent.filter(({ mentioned_at }) => mentioned_at !== null).length,
      delivered: {
        all: delivered.length,
        early: delivered.filter(({ arrived_at, attempt }) => {
          const accepted = attempt === null ? undefined : byId.get(number(attempt))?.finished_at
          return accepted != null && number(arrived_at) < number(accepted)
        }).length
      },
      toOutcome: toOutcomeOf(byId, answers),
      failures: failuresOf(answers, unproven),
      receipts: receiptsOf(answers.filter(({ source }) => source !== "operator")),
      retries: retriesOf(sent, answers),
      ...refusalsOf(sent, answers)
    }
  })

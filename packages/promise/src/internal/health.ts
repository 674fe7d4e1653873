import { Attention, AttentionJson } from "@fiscal-connector/core/attention"
import type { MappingBook } from "@fiscal-connector/core/book"
import { SubmissionStore } from "@fiscal-connector/core/store"
import { StatusPoller } from "@fiscal-connector/core/worker"
import { DateTime, Effect } from "effect"
import type * as Account from "./Account.ts"
import type { ConnectOptions } from "../ConnectOptions.ts"
import { withoutWitness } from "./permissions.ts"
import { problemOf } from "./problemOf.ts"
import { byStatus } from "./resultOf.ts"
import { heard } from "./telling.ts"

const unwitnessedCheck = {
  name: "witness",
  state: "look",
  said: withoutWitness.message,
  problems: [problemOf(withoutWitness)]
} as const

export const make = (
  { account, onEvent }: Pick<ConnectOptions, "account" | "onEvent">,
  { config, settings }: Account.ConnectedAccount
) => {
  const { retention } = StatusPoller.policyOf(settings)
  const now = SubmissionStore.SubmissionStore.use((store) => store.health(retention))
  let lastReported = ""

  return {
    health: Effect.map(now, (health) => ({
      at: DateTime.toDateUtc(health.at),
      concerns: Attention.of(health).map(AttentionJson.of),
      counts: byStatus(health.counts),
      secondsToHorizon: health.secondsToHorizon
    })),
    /** Items of the account. */
    items: Effect.map(now, (health) => Attention.ofAccounts(Attention.of(health), health, [account])),
    /** Sends an attention event if the items that need an operator have changed. Never fails. */
    tell: Effect.gen(function* () {
      if (onEvent === undefined) return
      const health = yield* now
      const items = Attention.of(health)
      const names = JSON.stringify(
        items.map(({ account, cause, code, documents, lane }) => [code, cause, account, lane, documents])
      )
      if (names === lastReported || (lastReported === "" && items.length === 0)) return
      lastReported = names
      heard(onEvent, { type: "attention", concerns: items.map(AttentionJson.of), at: DateTime.toDateUtc(health.at) })
    }).pipe(Effect.ignore),
    doctor: (book: MappingBook.MappingBook, zone: DateTime.TimeZone, isUnwitnessed: boolean) =>
      Effect.gen(function* () {
        const { Doctor } = yield* Effect.promise(() => import("@fiscal-connector/core/host/account"))
        const checks = yield* Doctor.examine({
          account,
          baseUrl: config.gateway.baseUrl,
          configuration: [],
          requests: config.gateway.secret === undefined ? "unsigned" : "signed",
          clockSkew: settings.clockSkew,
          assumptions: config.settled.assumptions,
          gateway: settings.gateway,
          zone,
          book,
          store: yield* SubmissionStore.SubmissionStore
        })
        const answers = checks.map(({ findings, text, ...check }) => ({
          ...check,
          said: text,
          problems: findings.map((finding) => problemOf(finding))
        }))
        return isUnwitnessed ? [...answers, unwitnessedCheck] : answers
      })
  }
}

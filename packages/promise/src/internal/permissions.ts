import { OpenAccount, Session, StoreWitness } from "@fiscal-connector/core/session"
import type { Finding } from "@fiscal-connector/core/adapter"
import { SubmissionStore } from "@fiscal-connector/core/store"
import { Effect } from "effect"
import type * as Account from "./Account.ts"
import type { ConnectOptions } from "../ConnectOptions.ts"
import * as openStore from "./openStore.ts"

export const withoutWitness = StoreWitness.unwitnessed("absent")

const warn =
  (account: string) =>
  ({ code, fix, message }: Finding.Finding) =>
    Effect.annotateLogs(Effect.logWarning(`${message}. ${fix}`), { account, code })

export const make = (
  { account, allowLive = false, firstUse, store }: ConnectOptions,
  { others, own, witness }: Account.Accounts
) => {
  // a store in memory cannot be restored from an older copy
  const guards = witness === undefined && !openStore.isMemory(store) ? StoreWitness.absent : witness
  const opening = { live: allowLive ? "allowed" : "not-allowed", firstUse, witness: guards } as const
  const isUnwitnessed = guards === StoreWitness.absent
  const opened = new Map<string, OpenAccount.OpenAccount>()

  const once = ({ settings }: Account.ConnectedAccount) =>
    Effect.suspend(() => {
      const known = opened.get(settings.account)
      if (known !== undefined) return Effect.succeed(known)
      return Effect.tap(Session.open(settings, opening), (permission) => {
        opened.set(settings.account, permission)
        return Effect.forEach(permission.warnings, warn(settings.account), { discard: true })
      })
    })

  return {
    opening,
    isUnwitnessed,
    own: once(own),
    now: Effect.suspend(() => {
      const known = opened.get(account)
      return known === undefined ? once(own) : Effect.as(OpenAccount.renew(known), known)
    }),
    /** Permissions of the account, and of the others on its device. */
    ofDevice: Effect.gen(function* () {
      const submissions = yield* SubmissionStore.SubmissionStore
      const first = yield* once(own)
      const names = new Set((yield* submissions.lanes([account])).flatMap(({ accounts }) => accounts))
      const beside = others.filter(({ config }) => names.has(config.name))
      return [first, ...(yield* Effect.forEach(beside, once))]
    }),
    /** Returns the warnings of the account; before it is open, the one that needs no gateway. */
    warnings: () => opened.get(account)?.warnings ?? (isUnwitnessed ? [withoutWitness] : [])
  }
}

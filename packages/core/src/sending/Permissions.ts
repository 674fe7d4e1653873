/** Opened lazily, and requested again after a refusal. */
import { Clock, Duration, Effect, Semaphore } from "effect"
import type { AccountSettings } from "../account/AccountSettings.ts"
import * as OpenAccount from "../account/OpenAccount.ts"
import type { AccountStopped } from "../account/StopReason.ts"
import type { StoreError } from "../submission/ledger/StoreError.ts"
import type { SubmissionStore } from "../submission/SubmissionStore.ts"

/** Permissions of one process. All lanes of an account share one permission. */
export interface Permissions {
  /**
   * Returns the permissions of the accounts that may be sent for now. A permission that was
   * refused, or that the store could not take, is requested again only after `pause`.
   */
  readonly of: (
    accounts: ReadonlyArray<AccountSettings>
  ) => Effect.Effect<ReadonlyArray<OpenAccount.OpenAccount>, StoreError, SubmissionStore>
  /**
   * Does the same and also renews permissions that were granted before: a device that refused may
   * accept now.
   */
  readonly fresh: Permissions["of"]
  /**
   * Checks that the store contains every known attempt of the opened accounts, and stops the lanes
   * of an older copy (OpenAccount.prove). For use after the store was unreachable.
   */
  readonly prove: Effect.Effect<void, StoreError>
}

/** Options for requesting permissions, and callbacks. */
export interface PermissionsOptions {
  readonly opening: OpenAccount.OpeningOptions
  readonly pause: Duration.Duration
  readonly onOpened: (account: OpenAccount.OpenAccount) => Effect.Effect<void>
  /** Called at the first refusal, and at a refusal for other reasons than before. */
  readonly onStopped: (error: AccountStopped) => Effect.Effect<void>
}

interface LatestPermission {
  permission: OpenAccount.OpenAccount | undefined
  /**
   * Time before which a permission is not requested again, in ms since the epoch: it was refused,
   * or the store could not take the answer.
   */
  until: number
  /** Reasons of the last refusal. Empty if there was none since the last success. */
  text: string
}

/** Requests no permission before the first use. */
export const make = ({ onOpened, onStopped, opening, pause }: PermissionsOptions): Permissions => {
  const all = new Map<string, { readonly known: LatestPermission; readonly alone: Semaphore.Semaphore }>()
  const entry = (account: string) => {
    const found = all.get(account) ?? {
      known: { permission: undefined, until: 0, text: "" },
      alone: Semaphore.makeUnsafe(1)
    }
    all.set(account, found)
    return found
  }
  const one = (settings: AccountSettings, how: "had" | "anew") => {
    const { alone, known } = entry(settings.account)
    const ask = Effect.suspend(() => {
      const { permission } = known
      if (permission === undefined) return OpenAccount.open(settings, opening)
      return Effect.as(OpenAccount.renew(permission), permission)
    })
    return alone.withPermit(
      Effect.gen(function* () {
        const now = yield* Clock.currentTimeMillis
        const { permission } = known
        if (permission !== undefined && how === "had" && known.text === "") return permission
        if (known.until > now) return undefined
        return yield* ask.pipe(
          Effect.tap((opened) => {
            const isNew = permission === undefined || known.text !== ""
            known.permission = opened
            known.text = ""
            return isNew ? onOpened(opened) : Effect.void
          }),
          Effect.tapError(() => Effect.sync(() => void (known.until = now + Duration.toMillis(pause)))),
          Effect.catchTag("AccountStopped", (error) => {
            const text = error.message
            const isNew = text !== known.text
            known.text = text
            return Effect.as(isNew ? onStopped(error) : Effect.void, undefined)
          })
        )
      })
    )
  }
  const each = (how: "had" | "anew") => (accounts: ReadonlyArray<AccountSettings>) =>
    Effect.map(
      Effect.forEach(accounts, (settings) => one(settings, how), { concurrency: "unbounded" }),
      (found) => found.flatMap((permission) => permission ?? [])
    )
  const prove = Effect.suspend(() => {
    // The store may take now what it could not take before.
    for (const { known } of all.values()) if (known.text === "") known.until = 0
    return Effect.forEach(
      [...all.values()].flatMap(({ known: { permission } }) => permission ?? []),
      OpenAccount.prove,
      { discard: true }
    )
  })
  return { of: each("had"), fresh: each("anew"), prove }
}

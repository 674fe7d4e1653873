/** The permissions of a process that runs on and on: had when they are needed, and asked for again where they were refused. */
import { Clock, Duration, Effect, Semaphore } from "effect"
import type { AccountSettings } from "../account/AccountSettings.ts"
import * as OpenAccount from "../account/OpenAccount.ts"
import type { AccountStopped } from "../account/StopReason.ts"
import type { StoreError } from "../ledger/StoreError.ts"
import type { SubmissionStore } from "../submission/SubmissionStore.ts"

/** The permissions of one process: all lanes of an account share its one. */
export interface Permissions {
  /** Those of the accounts that can be had now. One that was refused is asked for again after a while only. */
  readonly of: (
    accounts: ReadonlyArray<AccountSettings>
  ) => Effect.Effect<ReadonlyArray<OpenAccount.OpenAccount>, StoreError, SubmissionStore>
  /** The same, settled anew where they were had before: a device that refused may be willing. */
  readonly anew: Permissions["of"]
  /** Compares the store with what each of them knows (OpenAccount.prove): after it could not be reached. */
  readonly prove: Effect.Effect<void, StoreError>
}

/** How they are asked for, and who is told. */
export interface PermissionsOptions {
  readonly opening: OpenAccount.OpeningOptions
  /** How long one that was refused is left alone. */
  readonly pause: Duration.Duration
  readonly onOpened: (account: OpenAccount.OpenAccount) => Effect.Effect<void>
  /** Told when it is refused for the first time, or for other reasons than before. */
  readonly onStopped: (error: AccountStopped) => Effect.Effect<void>
}

interface Known {
  permission: OpenAccount.OpenAccount | undefined
  /** Not asked before. */
  until: number
  /** Why it was refused last. */
  because: string
}

/** None is asked for before it is needed. */
export const make = ({ onOpened, onStopped, opening, pause }: PermissionsOptions): Permissions => {
  const all = new Map<string, { readonly known: Known; readonly alone: Semaphore.Semaphore }>()
  const entry = (account: string) => {
    const found = all.get(account) ?? {
      known: { permission: undefined, until: 0, because: "" },
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
        if (permission !== undefined && how === "had" && known.because === "") return permission
        if (known.until > now) return undefined
        return yield* ask.pipe(
          Effect.tap((opened) => {
            const isNew = permission === undefined || known.because !== ""
            known.permission = opened
            known.because = ""
            return isNew ? onOpened(opened) : Effect.void
          }),
          Effect.catchTag("AccountStopped", (error) => {
            const because = error.message
            const isNew = because !== known.because
            known.because = because
            known.until = now + Duration.toMillis(pause)
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
  const prove = Effect.suspend(() =>
    Effect.forEach(
      [...all.values()].flatMap(({ known: { permission } }) => permission ?? []),
      OpenAccount.prove,
      { discard: true }
    )
  )
  return { of: each("had"), anew: each("anew"), prove }
}

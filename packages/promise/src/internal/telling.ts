/** Tells the host's listener every change of the account's documents. */
import { SubmissionStore } from "@fiscal-connector/core/submission/SubmissionStore"
import { DateTime, Effect, Stream } from "effect"
import type { ConnectOptions } from "../ConnectOptions.ts"
import { statusOf } from "./resultOf.ts"

/** A listener that throws stops nothing. */
export const telling = (account: string, listen: NonNullable<ConnectOptions["onEvent"]>) =>
  Effect.flatMap(SubmissionStore, (store) =>
    Stream.runForEach(store.changes, ({ at, from, key, number, to }) =>
      Effect.sync(() => {
        if (key.account !== account) return
        try {
          const { id, kind } = key
          listen({
            type: "document",
            account,
            key: { kind, id },
            number,
            from: from === null ? null : statusOf(from),
            status: statusOf(to),
            at: DateTime.toDateUtc(at)
          })
        } catch {
          // it is the host's own, and says so there
        }
      })
    )
  )

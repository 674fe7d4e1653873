import { SubmissionStore } from "@fiscal-connector/core/store"
import { DateTime, Effect, Stream } from "effect"
import type { ConnectOptions } from "../ConnectOptions.ts"
import type { FiscalEvent } from "../FiscalEvent.ts"
import { statusOf } from "./resultOf.ts"

type HeardEvent = Extract<FiscalEvent, { readonly type: "document" | "source" }>

export const heard = (listen: ConnectOptions["onEvent"], event: FiscalEvent): void => {
  try {
    listen?.(event)
  } catch {
    // the host reports its own exceptions
  }
}

export const telling = (account: string, listen: NonNullable<ConnectOptions["onEvent"]>) => {
  const tell = (event: HeardEvent) => Effect.sync(() => (event.account === account ? heard(listen, event) : undefined))
  return Effect.flatMap(SubmissionStore.SubmissionStore, (store) => {
    const documents = Stream.map(store.changes, ({ at, from, key: { account, id, kind }, number, to }): HeardEvent => ({
      type: "document",
      account,
      key: { kind, id },
      number,
      from: from === null ? null : statusOf(from),
      status: statusOf(to),
      at: DateTime.toDateUtc(at)
    }))
    const statements = Stream.map(
      store.sourceChanges,
      ({ at, key: { account, id, kind }, state, ...stated }): HeardEvent => ({
        type: "source",
        account,
        key: { kind, id },
        number: stated.number,
        status: statusOf(state),
        changed: stated.changed,
        cancelled: stated.cancelled,
        at: DateTime.toDateUtc(at)
      })
    )
    return Effect.all([Stream.runForEach(documents, tell), Stream.runForEach(statements, tell)], {
      concurrency: "unbounded",
      discard: true
    })
  })
}

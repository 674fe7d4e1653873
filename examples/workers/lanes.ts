/**
 * Connector operations for a host's engine: lanes with work, the work of one lane, and polls for
 * outcomes.
 */
import { ConfigFile, ConfiguredAccount, Connector, StoreWitnessFile } from "@fiscal-connector/core/session"
import { LaneEndText, Permissions, StatusPoller, Submitter } from "@fiscal-connector/core/worker"
import { StoreOpening, UndiciHttpClient } from "@fiscal-connector/core/node"
import { SubmissionStore } from "@fiscal-connector/core/store"
import { Console, Duration, Effect, Layer } from "effect"
import * as HttpClient from "effect/http/HttpClient"

export const open = Effect.fn("open")(
  /** `lease`: how long a worker that has stopped responding keeps a lane. */
  function* (file: string, lease: Duration.Input = "2 minutes") {
    const configuration = yield* ConfigFile.read(file, process.env)
    const { place } = configuration.store
    if (place === null) return yield* Effect.die(`${file} does not say where the store is`)
    const accounts = yield* Effect.forEach(configuration.accounts, ({ name }) =>
      Effect.flatMap(ConfigFile.account(configuration, name), (config) => ConfiguredAccount.settings(config))
    )
    const permissions = Permissions.make({
      opening: { witness: yield* StoreWitnessFile.make(file) },
      pause: Duration.minutes(1),
      onOpened: ({ account }) => Console.log(`account ${account} is open`),
      onStopped: ({ message }) => Console.log(message)
    })
    // every process is a separate worker; other processes detect when it has ended
    const longestRequest = Duration.times(Duration.fromInputUnsafe(lease), 5 / 8)
    const engine = Layer.unwrap(
      Effect.map(StoreOpening.holder(place, lease), (holder) => Submitter.layer({ holder, lease, longestRequest }))
    )
    const services = yield* Layer.build(
      Layer.mergeAll(engine, StatusPoller.layer).pipe(Layer.provideMerge(StoreOpening.layer(place)))
    )
    const feeders = accounts.map(
      ({ account }) => ({ account, continueAfter: "accepted", unknown: "for-a-person" }) as const
    )

    /** Lanes with work. */
    const lanes = SubmissionStore.SubmissionStore.use((store) => store.claimable(feeders)).pipe(
      Effect.map((found) => found.map(({ lane }) => lane)),
      Effect.provide(services)
    )

    /**
     * Works on one lane for at most a minute, so that every lane has its turn. A later call
     * continues Busy and Waiting lanes.
     */
    const drainLane = Effect.fn("drainLane")(
      function* (lane: string) {
        const store = yield* SubmissionStore.SubmissionStore
        const view = (yield* store.lanes()).find((view) => view.lane === lane)
        const permitted = yield* permissions.of(accounts.filter(({ account }) => view?.accounts.includes(account)))
        const report = yield* Connector.drainLane(permitted, lane)
        yield* Console.log(LaneEndText.inWords(report) ?? `lane ${lane}: ${report.attempts} sent, nothing is left`)
      },
      Effect.timeoutOption("1 minute"),
      Effect.provide(services)
    )

    /** Polls for outcomes; every process may do so. */
    const look = StatusPoller.StatusPoller.use((poller) => poller.sweep(accounts)).pipe(
      Effect.andThen(Effect.sleep("1 second")),
      Effect.forever,
      Effect.provide(services)
    )

    return { lanes, drainLane, look }
  },
  Effect.provideServiceEffect(HttpClient.HttpClient, UndiciHttpClient.make())
)

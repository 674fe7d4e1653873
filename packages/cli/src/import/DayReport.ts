import { ImportedDocument } from "@fiscal-connector/core/session"
import { type StoreError, type Submission, SubmissionStore } from "@fiscal-connector/core/store"
import { DateTime, Duration, Effect, FileSystem, Option, Path, Stream } from "effect"
import * as ReportFile from "./ReportFile.ts"

const perPage = 200

const changedOn = (
  day: DateTime.Zoned
): Stream.Stream<ReadonlyArray<Submission.Submission>, StoreError.StoreError, SubmissionStore.SubmissionStore> => {
  const [since, until] = [DateTime.toUtc(day), DateTime.add(day, { days: 1 })]
  return Stream.unwrap(
    SubmissionStore.SubmissionStore.use((store) =>
      Effect.succeed(
        Stream.paginate(0, (after) =>
          Effect.map(store.changed({ after, since, limit: perPage }), (page) => {
            const found = page.flatMap(({ submission }) =>
              DateTime.isLessThan(submission.since, until) ? [submission] : []
            )
            const last = page.at(-1)
            const next =
              page.length < perPage || last === undefined ? Option.none<number>() : Option.some(last.position)
            return [[found], next] as const
          })
        )
      )
    )
  )
}

const today = Effect.map(DateTime.now, (now) =>
  DateTime.startOf(DateTime.setZone(now, DateTime.zoneMakeLocal()), "day")
)

const write = Effect.fnUntraced(function* (folder: string, day: DateTime.Zoned) {
  const [fs, path] = [yield* FileSystem.FileSystem, yield* Path.Path]
  const destinations = new Map<string, Submission.Submission>()
  yield* Stream.runForEach(changedOn(day), (page) =>
    Effect.sync(() => {
      for (const one of page) destinations.set(`${one.account} ${one.lane}`, one)
    })
  )
  if (destinations.size === 0) return
  yield* fs.makeDirectory(folder, { recursive: true })
  yield* ReportFile.write(path.join(folder, `${DateTime.formatIsoDate(day)}.html`), {
    at: DateTime.setZone(yield* DateTime.now, DateTime.zoneMakeLocal()),
    destinations: [...destinations.values()],
    record: null,
    book: { taxes: [] },
    unattached: [],
    documents: Stream.map(changedOn(day), (page) => page.map(ImportedDocument.ofSubmission))
  })
})

export const ofToday = (folder: string) => Effect.flatMap(today, (day) => write(folder, day))

/**
 * When each day ends, until it is interrupted. An unwritable folder is logged and does not stop the
 * work.
 */
export const daily = (folder: string) =>
  Effect.gen(function* () {
    const day = yield* today
    const left = DateTime.distance(yield* DateTime.now, DateTime.add(day, { days: 1 }))
    yield* Effect.sleep(Duration.sum(left, Duration.seconds(5)))
    yield* Effect.catchCause(write(folder, day), (cause) =>
      Effect.logError("the report of the day was not written", cause)
    )
  }).pipe(Effect.forever)

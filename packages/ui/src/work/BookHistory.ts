/**
 * Changes of the mapping book made on this page, oldest first. The last change can be undone until
 * documents were sent with it.
 */
import { OperatorRecord } from "@fiscal-connector/core/decisions"
import { ImportRecord } from "@fiscal-connector/core/session"
import { SubmissionStore } from "@fiscal-connector/core/store"
import { AtomicFile } from "@fiscal-connector/core/host"
import { DateTime, Effect, FileSystem } from "effect"

/** A changed setting, or an answer in words without `from` and `to`. */
export interface ChangedSetting {
  readonly what: string
  readonly from?: string
  readonly to?: string
}

export interface BookChange {
  readonly id: number
  readonly at: DateTime.Utc
  readonly who: string
  readonly settings: ReadonlyArray<ChangedSetting>
  readonly before: string | null
  readonly after: string
}

/**
 * Result of an undo. `used`: documents were sent with the change. `changed-since`: the book was
 * changed later, here or by another program.
 */
export type Undone = "undone" | "used" | "changed-since" | "gone"

const most = 50

const newest = 200

export const make = (file: string) => {
  let changes: ReadonlyArray<BookChange> = []
  let next = 1
  return {
    all: (): ReadonlyArray<BookChange> => changes,
    note: (settings: BookChange["settings"], before: string | null, after: string): Effect.Effect<void> =>
      Effect.gen(function* () {
        const { name: who } = yield* OperatorRecord.Operator
        const at = yield* DateTime.now
        changes = [...changes, { id: next++, at, who, settings, before, after }].slice(-most)
      }),
    isUsed: ({ after }: BookChange) =>
      SubmissionStore.SubmissionStore.use((store) =>
        Effect.map(store.imports({ limit: newest }), (imports) => {
          const { sha256 } = ImportRecord.textRecord("", after)
          return imports.some(({ book, documents, refused }) => book?.sha256 === sha256 && documents > refused)
        })
      ),
    undo: (id: number, used: "used" | "unused") =>
      Effect.gen(function* () {
        const fs = yield* FileSystem.FileSystem
        const last = changes.at(-1)
        if (last === undefined || last.id !== id) return "gone" satisfies Undone
        if (used === "used") return "used" satisfies Undone
        if ((yield* fs.readFileString(file)) !== last.after) return "changed-since" satisfies Undone
        if (last.before === null) yield* fs.remove(file)
        else yield* AtomicFile.writeText(file, last.before)
        changes = changes.slice(0, -1)
        return "undone" satisfies Undone
      })
  }
}

export type BookHistory = ReturnType<typeof make>

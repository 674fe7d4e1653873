import { Mappings } from "@fiscal-connector/core/host/account"
import { TextFile } from "@fiscal-connector/core/host"
import {
  BookPull,
  GatewayMappings,
  MappingApply,
  MappingFinding,
  MappingStep,
  SavedPlan
} from "@fiscal-connector/core/host/import"
import { Finding } from "@fiscal-connector/core/adapter"
import { StoreOpening } from "@fiscal-connector/core/node"
import { StorePlace, SubmissionStore } from "@fiscal-connector/core/store"
import { Console, Effect, FileSystem, Option } from "effect"
import { Flag } from "effect/cli"
import * as ConfigAccount from "../account/ConfigAccount.ts"
import * as RunEffect from "../account/RunEffect.ts"
import { mayBeMade, onPlace } from "../account/StoreFlags.ts"
import * as BookOfExport from "../import/BookOfExport.ts"
import { report } from "../output/FindingReport.ts"
import { printable } from "../output/Terminal.ts"
import * as GatewayProblem from "../account/GatewayProblem.ts"
import { ExitError, notDone } from "../output/ExitError.ts"
import { accountFlags } from "../account/AccountFlags.ts"
import { Call, type NextCall } from "../output/Call.ts"
import * as Output from "../output/Output.ts"
import { commandGroup, describedCommand, isSet, optionalText } from "../output/Flags.ts"
import { paragraphs } from "../output/Paragraphs.ts"

const flags = {
  ...accountFlags,
  book: Flag.String("book").pipe(Flag.withDescription("the mapping book"))
}

const planFileOf = (book: string) => `${book.replace(/\.json$/, "")}.mappings-plan.json`

const as = ["config", "account", "book"]

const planning: NextCall = { command: ["mappings", "plan"], as }
const applying: NextCall = { command: ["mappings", "apply"], as }

/** Deletions depend on the mappings used by documents. */
const noStore = (place: StorePlace.StorePlace) =>
  Effect.andThen(
    mayBeMade(place),
    Console.error(
      `There is no store ${StorePlace.describe(place)} yet: no document is known that needs a mapping. Where there is one, say so in the configuration before anything is deleted.`
    )
  )

const plan = describedCommand(
  "plan",
  "Compare the book with the gateway and the device; list what would change (exit code 3) and what cannot (2); change nothing",
  {
    ...flags,
    delete: isSet("delete", "also delete mappings that are not in the book and that no document uses")
  },
  (given) =>
    Effect.gen(function* () {
      const fs = yield* FileSystem.FileSystem
      const book = yield* BookOfExport.load(given.book)
      const { config, operations } = yield* ConfigAccount.gateway(given.config, given.account)
      yield* GatewayProblem.tellMisfits(operations)
      const planned = (store: Mappings.PlanRequest["store"]) =>
        Mappings.plan(operations, { account: config.name, book, extras: given.delete ? "delete" : "keep", store })
      const made = (yield* StoreOpening.isThere(config.store))
        ? yield* onPlace(config.store, Effect.flatMap(SubmissionStore.SubmissionStore, planned))
        : yield* Effect.andThen(given.delete ? noStore(config.store) : Effect.void, planned(undefined))
      const { findings, steps } = made.plan
      const file = planFileOf(given.book)
      const old = fs.remove(file, { force: true })
      if (steps.length > 0) {
        const text = SavedPlan.toText(SavedPlan.make(config.name, book, made.gateway, made.plan))
        yield* Effect.andThen(old, fs.writeFileString(file, text, { mode: 0o600 }))
      } else yield* old
      const call = yield* Call
      const lines = steps.flatMap((step, i) => [
        `  ${i + 1}. ${printable(MappingStep.describe(step))}`,
        `     → ${MappingStep.consequence(step)}`
      ])
      yield* Output.answer(
        "mappings-plan",
        {
          account: config.name,
          steps: steps.map((step) => ({
            step: MappingStep.describe(step),
            consequence: MappingStep.consequence(step)
          })),
          findings,
          file: steps.length === 0 ? null : file
        },
        paragraphs([
          steps.length === 0
            ? findings.some(Finding.refuses)
              ? `No step can be done for account ${config.name}; an operator must do this:`
              : `Nothing to change for account ${config.name}.`
            : `To be done for account ${config.name}:\n${lines.join("\n")}`,
          findings.length === 0
            ? ""
            : report(
                findings.map((finding) => ({ finding, subject: undefined })),
                call
              ),
          steps.length === 0
            ? ""
            : `Nothing was changed yet. This plan, and nothing else, is done by:\n  ${call.next(applying)}`
        ])
      )
      if (findings.some(Finding.refuses)) return yield* new ExitError({ code: 2, text: "" })
      if (steps.length > 0) return yield* new ExitError({ code: 3, text: "" })
    }).pipe(Effect.scoped)
)

const apply = describedCommand(
  "apply",
  "Apply the last plan exactly; continue after an interruption; refuse if the gateway or the book changed since",
  flags,
  (given) =>
    Effect.gen(function* () {
      const fs = yield* FileSystem.FileSystem
      const file = planFileOf(given.book)
      if (!(yield* fs.exists(file))) {
        return yield* notDone(`There is no plan ${file}. This makes and prints one:\n  ${(yield* Call).next(planning)}`)
      }
      const saved = SavedPlan.fromText(yield* TextFile.read(file))
      if (Option.isNone(saved))
        return yield* notDone(`${file} is not a plan of this version. Plan again:\n  ${(yield* Call).next(planning)}`)
      const book = yield* BookOfExport.load(given.book)
      const { config, operations } = yield* ConfigAccount.gateway(given.config, given.account)
      yield* GatewayProblem.tellMisfits(operations)
      if (saved.value.account !== config.name) {
        return yield* notDone(
          `The plan was made for the account ${saved.value.account}, not ${config.name}; nothing was done.`
        )
      }
      if (saved.value.book !== SavedPlan.digest(book)) {
        return yield* stale(`${given.book} says something else than when the plan was made`)
      }
      yield* RunEffect.changed
      const call = yield* Call
      yield* MappingApply.apply(saved.value, operations, ({ step, when }) =>
        Output.answer(
          "mappings-step",
          { step: MappingStep.describe(step), when },
          `${when === "now" ? "done   " : "already"}  ${printable(MappingStep.describe(step))}`
        )
      ).pipe(
        Effect.catchTags({
          PlanStale: ({ differences }) => stale(differences.join("; ")),
          GatewayError: (error) =>
            new ExitError({
              code: 3,
              text: `${GatewayProblem.text(error, call)}\nThe plan was interrupted. The same command continues:\n  ${call.next(applying)}`
            })
        })
      )
      yield* fs.remove(file)
      yield* Output.answer("mappings-applied", { account: config.name }, "The gateway's mappings match the plan.")
    }).pipe(Effect.scoped)
)

const stale = (detail: string) => {
  const finding = Finding.make(MappingFinding.MappingFinding.MAPPING_PLAN_STALE, { detail })
  return Effect.flatMap(Call, (call) => Effect.fail(notDone(report([{ finding, subject: undefined }], call))))
}

const pull = describedCommand(
  "pull",
  "Draft a book from the gateway's mappings, or add missing mappings to a book; comments are kept",
  {
    ...flags,
    zone: optionalText(
      "zone",
      "the business time zone of a new book, for example +02:00; the gateway does not state it"
    )
  },
  Effect.fnUntraced(function* (given) {
    const fs = yield* FileSystem.FileSystem
    const { operations } = yield* ConfigAccount.gateway(given.config, given.account)
    yield* GatewayProblem.tellMisfits(operations)
    const mappings = yield* GatewayMappings.read(operations)
    if (!(yield* fs.exists(given.book))) {
      const pulled = BookPull.entries(mappings, undefined)
      yield* fs.writeFileString(given.book, BookPull.draft(pulled, Option.getOrUndefined(given.zone)), {
        flag: "wx",
        mode: 0o600
      })
      const rest = Option.isNone(given.zone) ? "Write its zone, and the" : "Write the"
      const others = pulled.comments.length === 0 ? "" : " Other taxes of the device are listed in it as comments."
      return yield* Output.answer(
        "mappings-pulled",
        { book: given.book, is: "drafted", taxes: pulled.taxes.length, currencies: pulled.currencies.length },
        `${given.book} drafted: ${count(pulled)}.${others} ${rest} spellings of your export ("from"), then:\n  ${(yield* Call).next({ command: ["book", "check"], operands: [given.book] })}`
      )
    }
    const book = yield* BookOfExport.load(given.book)
    const pulled = { ...BookPull.entries(mappings, book), comments: [] }
    if (pulled.taxes.length + pulled.currencies.length === 0) {
      return yield* Output.answer(
        "mappings-pulled",
        { book: given.book, is: "unchanged", taxes: 0, currencies: 0 },
        `${given.book} names everything that the gateway maps; it was not changed.`
      )
    }
    const text = BookPull.addTo(yield* fs.readFileString(given.book), pulled)
    yield* fs.writeFileString(given.book, text)
    yield* Output.answer(
      "mappings-pulled",
      { book: given.book, is: "added to", taxes: pulled.taxes.length, currencies: pulled.currencies.length },
      `Added to ${given.book}: ${count(pulled)}. Nothing else in it was changed.`
    )
  }, Effect.scoped)
)

const count = ({ currencies, taxes }: Pick<BookPull.PulledEntries, "taxes" | "currencies">) =>
  `${taxes.length} tax ${taxes.length === 1 ? "entry" : "entries"}, ${currencies.length} ${currencies.length === 1 ? "currency" : "currencies"}`

export const mappings = commandGroup(
  "mappings",
  "Bring the gateway's tax and currency mappings in line with the mapping book",
  [plan, apply, pull]
)

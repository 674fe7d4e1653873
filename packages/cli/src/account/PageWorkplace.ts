/**
 * The page's accounts of a configuration and their store, or a sandbox that lasts as long as the
 * page.
 */
import { type Doctor, Mappings } from "@fiscal-connector/core/host/account"
import { MappingApply, SavedPlan } from "@fiscal-connector/core/host/import"
import type { MappingBook } from "@fiscal-connector/core/book"
import { StoreOpening } from "@fiscal-connector/core/node"
import { StorePlace } from "@fiscal-connector/core/store"
import { type PageAccount, type Format, type Workplace, WorkplaceRefused } from "@fiscal-connector/ui/Workplace"
import { type DateTime, Effect, Layer, Option } from "effect"
import type { ChosenAccount } from "./ChosenAccount.ts"
import * as ConfigAccount from "./ConfigAccount.ts"
import * as Engine from "./Engine.ts"
import * as SandboxAccount from "./SandboxAccount.ts"

interface WorkplaceSettings {
  readonly formats: ReadonlyArray<Format>
  readonly book: Option.Option<string>
}

const asRefused = ({ message }: { readonly message: string }) => new WorkplaceRefused({ text: message })

type Examine = (account: string) => Effect.Effect<ReadonlyArray<Doctor.Check>, { readonly message: string }>

export const configured = Effect.fnUntraced(function* (
  file: string,
  { book, formats }: WorkplaceSettings,
  examine: Examine
) {
  const { accounts, sources, store } = yield* ConfigAccount.configuredAll(file)
  const names = accounts.map(({ name }) => name)
  const services = yield* Effect.context<Effect.Services<ReturnType<typeof ConfigAccount.choose>>>()
  const bookFile = Option.getOrElse(book, () => file.replace(/(\.[^./\\]*)?$/, ".book.json"))
  const account = (name: string, zone: DateTime.TimeZone | undefined) =>
    ConfigAccount.choose(file, Option.some(name), zone, [bookFile]).pipe(Effect.mapError(asRefused))
  const withOneId = yield* StoreOpening.withOneId
  const workplace: Workplace = {
    place: "configured",
    accounts: names,
    formats,
    sources: sources.map(({ consent, every, name, tenant }) => ({ name, tenant, every, consent })),
    bookFile,
    account: (name, zone) => Effect.provideContext(account(name, zone), services) as ReturnType<Workplace["account"]>,
    all: Effect.provideContext(
      Effect.forEach(names, (name) => account(name, undefined)),
      services
    ) as Workplace["all"],
    // the operator owns the gateway's mappings; they are compared before anything is sent
    prepare: () => Effect.void,
    isThere: StoreOpening.isThere(store),
    looking: StoreOpening.layerReading(store),
    nowhere: withOneId(StoreOpening.layer(StorePlace.memory)),
    // a configuration that was read has no mistake in its lane settings
    engine: withOneId(
      Layer.catchTag(Engine.layer(store), "SubmitterConfigError", (error) => Layer.effectContext(Effect.die(error)))
    ),
    doctor: (name) => Effect.mapError(examine(name), asRefused)
  }
  return workplace
})

/** The sandbox then knows the codes chosen on the page. */
const mapped = Effect.fnUntraced(function* ({ settings }: PageAccount, book: MappingBook.MappingBook) {
  const { account, gateway } = settings
  const made = yield* Mappings.plan(gateway, { account, book, extras: "keep", store: undefined })
  yield* MappingApply.apply(SavedPlan.make(account, book, made.gateway, made.plan), gateway)
}, Effect.mapError(asRefused))

const nothingToExamine: ReadonlyArray<Doctor.Check> = [
  {
    name: "sandbox",
    state: "fine",
    text: "a gateway of our own in this process; nothing reaches an authority",
    findings: []
  }
]

/**
 * Set up from the book if one is named, else with the usual taxes. The sandbox and its store end
 * with the scope.
 */
export const sandbox = Effect.fnUntraced(function* (
  given: WorkplaceSettings,
  book: MappingBook.MappingBook | undefined
) {
  const chosen: ChosenAccount = yield* SandboxAccount.connect(book ?? SandboxAccount.unmapped)
  const engine = Layer.succeedContext(yield* Layer.build(Engine.layer(chosen.store)))
  const workplace: Workplace = {
    place: "sandbox",
    accounts: [chosen.settings.account],
    formats: given.formats,
    bookFile: Option.getOrUndefined(given.book),
    account: (_, zone) =>
      Effect.succeed({ ...chosen, settings: { ...chosen.settings, ...(zone !== undefined && { zone }) } }),
    all: Effect.succeed([chosen]),
    prepare: mapped,
    isThere: Effect.succeed(true),
    looking: engine,
    nowhere: engine,
    engine,
    doctor: () => Effect.succeed(nothingToExamine)
  }
  return workplace
})

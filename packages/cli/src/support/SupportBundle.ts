/**
 * Allow-list of a support bundle: every text is a fixed word, a code, a version, an instant or a
 * catalog sentence, never a name, a document number, or anything written by a user or the gateway.
 */
import { KnownCodes } from "@fiscal-connector/core/host/account"
import { Schema } from "effect"

const { Array: List, Boolean: Yes, Int, Literals, NullOr, Record, Struct, Union } = Schema

const text = (pattern: RegExp) => Schema.String.check(Schema.isPattern(pattern))

const Keyword = text(/^[a-z][a-z-]{0,30}$/)
const Code = text(/^[A-Za-z][A-Za-z0-9_-]{0,60}$/)
const SystemCode = text(/^[A-Z][A-Z0-9_]{0,60}$/)
const Version = text(/^v?\d+\.\d+\.\d+[\w.-]{0,30}$/)
const Instant = text(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/)
/** `account 2`, `lane 1`: numbered in order, so that names stay with the user. */
const Account = text(/^account \d+$/)
const Lane = text(/^lane \d+$/)
const sentences = new Set(KnownCodes.coreCodes.map(({ meaning }) => meaning))
const Meaning = Schema.String.check(Schema.makeFilter((said) => sentences.has(said) || "no sentence of the catalogue"))
const Environment = Literals(["sandbox", "test", "live", "other"])
const Severity = Literals(["error", "warning"])
const Counts = Record(Code, Int)

const NotRead = Struct({ is: Schema.Literal("not-read"), because: Keyword })

const Finding = Struct({
  code: Code,
  severity: Severity,
  meaning: NullOr(Meaning),
  why: List(Code)
})

const ConfiguredAccount = Struct({
  account: Account,
  is: Literals(["usable", "unusable"]),
  gateway: NullOr(Literals(["https", "http", "this-machine"])),
  key: NullOr(Literals(["environment", "file", "command"])),
  secret: NullOr(Literals(["environment", "file", "command"])),
  formerSecrets: Int,
  unknown: NullOr(Keyword),
  credentials: NullOr(Keyword),
  paceMillis: NullOr(Int),
  clockSkewMillis: NullOr(Int),
  unworkedAfterMillis: NullOr(Int),
  notBefore: Literals(["said", "none"]),
  timeoutMillis: NullOr(Struct({ write: Int, read: Int, download: Int })),
  retries: NullOr(Int),
  /** Switches that differ from the default. */
  assumptions: List(Struct({ id: text(/^[A-Z]+-\d+[a-z]?$/), is: text(/^[a-z0-9.-]{1,20}$/) })),
  findings: List(Finding)
})

const Configuration = Struct({
  is: Schema.Literal("read"),
  store: NullOr(Literals(["file", "postgres", "memory"])),
  encryption: NullOr(Literals(["verified", "insecure"])),
  connections: NullOr(Int),
  password: NullOr(Literals(["environment", "file", "command"])),
  alert: NullOr(Literals(["command", "url"])),
  accounts: List(ConfiguredAccount),
  findings: List(Finding)
})

const Book = Struct({
  is: Schema.Literal("read"),
  taxes: Int,
  currencies: Int,
  payments: Int,
  productCodes: Int,
  relaxed: Int,
  rounding: Keyword,
  times: Keyword,
  late: Keyword,
  policies: Record(Schema.String.check(Schema.isPattern(/^[A-Za-z]{1,30}$/)), Keyword)
})

const Store = Struct({
  is: Schema.Literal("read"),
  engine: Literals(["file", "postgres", "memory"]),
  id: text(/^[0-9a-f]{0,32}$/),
  attempts: Int,
  schema: Int,
  knows: Int,
  bytes: NullOr(Int),
  durable: Yes,
  counts: Counts,
  held: Counts
})

const StoreNotRead = Struct({ is: Schema.Literal("not-read"), because: Keyword, schema: NullOr(Int), knows: Int })

const LaneFacts = Struct({
  lane: Lane,
  environment: Environment,
  accounts: Int,
  stop: NullOr(Struct({ cause: Keyword, retryAt: NullOr(Instant) })),
  stops: Int,
  lease: Literals(["live", "over", "none"]),
  device: Literals(["known", "new"]),
  fiscalDay: NullOr(Int),
  closedAt: NullOr(Instant),
  counts: Counts,
  /** Time since which the oldest document is in each state that is not final. */
  waitingSince: Record(Code, Instant)
})

const Health = Struct({
  is: Schema.Literal("read"),
  secondsToHorizon: NullOr(Int),
  conflicts: Int,
  unmatched: Int,
  unanswered: Int,
  concerns: List(Struct({ code: Code, cause: NullOr(Code), lane: NullOr(Lane), meaning: NullOr(Meaning) })),
  lanes: List(LaneFacts)
})

const Attempt = Struct({
  lane: Lane,
  begunAt: Instant,
  repeats: Keyword,
  result: NullOr(Code),
  stage: NullOr(Keyword),
  status: NullOr(Int),
  code: NullOr(Union([SystemCode, Schema.Literal("other")])),
  millis: NullOr(Int)
})

const Check = Struct({
  name: text(/^[a-z ]{1,30}$/),
  state: Literals(["fine", "look", "broken", "not-asked"]),
  findings: List(Finding)
})

const Doctor = Union([
  Struct({ is: Schema.Literal("read"), account: Account, checks: List(Check) }),
  Struct({ is: Schema.Literal("not-read"), account: Account, because: Keyword })
])

export const SupportBundle = Struct({
  at: Instant,
  versions: Struct({ connector: Version, node: Version, platform: Code, architecture: Code }),
  configuration: Union([Configuration, NotRead]),
  book: Union([Book, NotRead]),
  store: Union([Store, StoreNotRead]),
  health: Union([Health, NotRead]),
  doctor: List(Doctor),
  attempts: List(Attempt)
})
export type SupportBundle = typeof SupportBundle.Type

export const allowed = Schema.decodeUnknownEffect(SupportBundle)

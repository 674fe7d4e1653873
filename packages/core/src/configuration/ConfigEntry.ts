/** Schemas of the configuration file: accounts, sources, store and alert. */
import * as CreditNumber from "../submission/ledger/CreditNumber.ts"
import { Duration, Schema } from "effect"
import * as CivilDate from "../document/CivilDate.ts"
import { standardQuietPeriod } from "../account/AccountSettings.ts"

const optional = <S extends Schema.Top>(schema: S, description: string) =>
  Schema.optionalKey(schema.annotate({ description }))

const durationOf = (description: string) =>
  Schema.String.annotate({ description }).pipe(Schema.decodeTo(Schema.DurationFromString))

const duration = (description: string) => Schema.optionalKey(durationOf(description))

/** A duration that must not be shorter. */
const atLeast = (description: string, least: Duration.Duration, said = Duration.format(least)) =>
  Schema.optionalKey(
    durationOf(description).check(
      Schema.makeFilter((given) => Duration.isGreaterThanOrEqualTo(given, least) || `expected ${said} or more`)
    )
  )

const SecretFile = Schema.NonEmptyString

/** An executable and its arguments, run without a shell. */
const SecretCommand = Schema.Array(Schema.NonEmptyString).check(Schema.isMinLength(1))

export const secretPlaces = {
  keyFile: optional(SecretFile, "a file with nothing but the key; relative to this file"),
  secretFile: optional(SecretFile, "a file with nothing but the secret; without a secret requests go unsigned"),
  formerSecretFiles: optional(
    Schema.Array(SecretFile),
    "secrets before a rotation: they still verify deliveries and sign nothing (AUTH-6)"
  ),
  keyCommand: optional(
    SecretCommand,
    "instead of keyFile: an executable and its arguments, which prints nothing but the key; no shell"
  ),
  secretCommand: optional(SecretCommand, "instead of secretFile: the same for the secret"),
  formerSecretCommands: optional(
    Schema.Array(SecretCommand),
    "the same for secrets before a rotation, beside formerSecretFiles"
  )
}

/**
 * Settings that the connector reads; all other settings of an entry belong to the gateway, which
 * checks them.
 */
export const ownFields = {
  ...secretPlaces,
  unknown: optional(
    Schema.Literals(["hold", "resend-flagged"]),
    "what follows an unknown outcome: an operator decides (default), or the document is sent again marked as a retry, which needs DOC-10 = deduplicates"
  ),
  credentials: optional(
    Schema.Literals(["shared", "exclusive"]),
    "exclusive: no other program submits with these credentials; default shared"
  ),
  pace: duration("the shortest pause between two submissions, as 200 millis"),
  quietPeriod: atLeast(
    "how long a document is left alone after its last request, as 10 minutes: until then that request may still arrive; at least 5 minutes, default 5 minutes",
    standardQuietPeriod,
    "5 minutes"
  ),
  unworkedAfter: atLeast(
    "after what time documents that wait while nothing sends for their device need attention, as 4 hours; at least 1 minute, default 15 minutes",
    Duration.minutes(1),
    "1 minute"
  ),
  clockSkew: duration("how far this machine's clock may be from the gateway's, as 30 seconds; default 60 seconds"),
  notBefore: optional(
    CivilDate.CivilDate,
    "documents of an earlier date, as 2026-01-01, are skipped and never sent; default none"
  ),
  creditNumbers: optional(
    Schema.String.check(Schema.makeFilter((rule) => CreditNumber.problem(rule) ?? undefined)),
    `the numbers of prepared credit notes, with {original} and {n}; default ${CreditNumber.standard}`
  )
}

export const DatabaseEntry = Schema.Struct({
  url: Schema.NonEmptyString.annotate({
    description: "postgres://user@host:5432/database, without the password; never a transaction pooler"
  }),
  passwordFile: optional(SecretFile, "a file with nothing but the password; relative to this file"),
  passwordCommand: optional(SecretCommand, "instead of passwordFile: an executable and its arguments; no shell"),
  schema: optional(
    Schema.String.check(Schema.isPattern(/^(?!pg_)[a-z_][a-z0-9_]{0,62}$/)),
    "where the tables are; default fiscal_connector"
  ),
  encryption: optional(
    Schema.Literals(["verified", "insecure"]),
    "verified: off this machine only by TLS with a certificate that is good for the host (default); insecure: as the address says"
  ),
  authoritiesFile: optional(
    Schema.NonEmptyString,
    "certificates (PEM) of the authorities to believe, instead of the usual ones; relative to this file"
  ),
  connections: optional(
    Schema.Int.check(Schema.isBetween({ minimum: 2, maximum: 1000 })),
    "how many connections a process opens at most; default 10"
  )
})

/** Settings of every accounting system that is read live. The kind of the system has others. */
export const sourceFields = {
  kind: Schema.NonEmptyString.annotate({
    description:
      "which interface it has: a kind of this program, or a file (./erp.mjs, relative to this file) or package of your own, which runs with your rights"
  }),
  account: Schema.NonEmptyString.annotate({ description: "the account that its documents are sent for" }),
  book: Schema.NonEmptyString.annotate({ description: "the mapping book; relative to this file" }),
  tenant: Schema.NonEmptyString.annotate({
    description: "the identifier of the company in the source; a login that gives another one's data stops"
  }),
  goLive: CivilDate.CivilDate.annotate({
    description: "documents of an earlier date, as 2026-01-01, are never sent; there is no default"
  }),
  consent: Schema.Literals(["plan", "send"]).annotate({
    description: "plan: every run shows what it would send; send: every run after the first sends"
  }),
  late: optional(
    Schema.Literals(["stop", "send-rest"]),
    "treatment of refused documents that a run would make late. send-rest (default): the others are sent, unless too many would become late; late documents are then held. stop: nothing is sent"
  ),
  secretFile: optional(
    SecretFile,
    "a file with nothing but the secret of the application, or the API key; which of them, its kind says"
  ),
  secretCommand: optional(SecretCommand, "instead of secretFile: an executable and its arguments; no shell"),
  options: optional(
    Schema.Record(Schema.String, Schema.Unknown),
    "settings of the adapter, as for an import: tin, vatNumber, productCode, paymentMethod, …"
  ),
  overlap: atLeast(
    "how long before the last change each run begins; at least and by default 5 minutes",
    Duration.minutes(5)
  ),
  every: atLeast("how often a worker reads it; at least 1 minute. Without it no worker does", Duration.minutes(1)),
  clockSkew: atLeast("how far the source's clock may be from this machine's; default 5 minutes", Duration.seconds(1)),
  sweep: atLeast("how far back documents are compared one by one, once a day; default 7 days", Duration.days(1)),
  quietAfter: atLeast("from when on it is worth a look that nothing new came; default 7 days", Duration.hours(1))
}

export const SourceEntry = Schema.Struct(sourceFields)

/** Target of notifications about health changes: a command or a URL, not both. */
export const AlertEntry = Schema.Struct({
  command: optional(
    Schema.Array(Schema.NonEmptyString).check(Schema.isMinLength(1)),
    "an executable and its arguments; it reads the event as JSON from its standard input"
  ),
  url: optional(Schema.NonEmptyString, "where the event is sent as JSON; https, or http on this machine")
})

export const fileFields = {
  $schema: Schema.optionalKey(Schema.String),
  store: Schema.optionalKey(
    Schema.Union([
      Schema.NonEmptyString.annotate({
        description:
          "where submissions are kept: a file, relative to this one, or postgres://user@host:5432/database; default fiscal-connector.db"
      }),
      DatabaseEntry
    ])
  ),
  alert: optional(AlertEntry, "who is notified when something needs attention, and when nothing does any more")
}

/**
 * How long, and how often, the connector waits before it goes on, gives up or calls an operator.
 * Every default is here, with its reason. `mutant`: a mistake in the figure, and the test that
 * notices it.
 */
import { Duration } from "effect"

export interface PatienceFigure<Value> {
  readonly is: Value
  readonly unit: string
  readonly reason: string
  readonly mutant: string
}

const time = (is: Duration.Input, unit: string, reason: string, mutant: string): PatienceFigure<Duration.Duration> => ({
  is: Duration.fromInputUnsafe(is),
  unit,
  reason,
  mutant
})

const count = (is: number, unit: string, reason: string, mutant: string): PatienceFigure<number> => ({
  is,
  unit,
  reason,
  mutant
})

export const alertPause = time(
  "10 seconds",
  "between two alerts",
  "changes come in groups; one message reports the group",
  "1 hour: sending/Alerting.test"
)

export const askedOnceMore = time(
  "1 minute",
  "age of a look that counts for an operator's decision",
  "an operator decides by an answer that was read for this decision, not by yesterday's",
  "1 day: sending/Unproven.test"
)

export const betweenReads = time(
  "10 seconds",
  "between two readings of device and subscription because of failed documents",
  "failures come in groups, and one reading explains the group",
  "1 ms: sending/LaneCauses.test"
)

export const betweenRecords = time(
  "10 seconds",
  "between two records of the store's progress in the witness while documents are sent",
  "if the run is cut off and an older copy then replaces the store, nearly all progress is known",
  "1 hour: account/OpenAccount.test"
)

export const betweenRefusals = time(
  "1 minute",
  "between two openings of an account that was refused",
  "a worker comes to the lane every second, and only an operator ends such a stop",
  "1 ms: account/OpenAccount.test"
)

export const clockSkew = time(
  "60 seconds",
  "by which this machine's clock may differ from the gateway's",
  "a receipt date in the future is marked (RCPT031); clocks that a service keeps differ by less than a second",
  "1 hour: account/OpenAccount.test"
)

export const comparedNumbers = count(
  50,
  "newest receipts whose numbers show if other programs use a device about which nothing is stated",
  "another till makes receipts between those of one day; more would be read at each start",
  "1: store/StoreWentBack.test"
)

export const elimination = time(
  "15 minutes",
  "from an attempt to an outcome that is assigned to it by elimination",
  "a later outcome may belong to a request that was sent after the backup that the store may be",
  "1 day: store/Elimination.test"
)

export const firstAnswer = time(
  "1 minute",
  "for which a lane whose documents fail waits for the first answer about each",
  "ten times the usual first look; a gateway that is slow for longer must not stop the lane",
  "1 hour: sending/LaneCauses.test"
)

export const firstBackOff = time(
  "1 second",
  "of a lane's first stop; doubled by each further stop",
  "most interruptions of a network end within seconds",
  "1 minute: sending/Submitter.test"
)

export const firstLook = time(
  "6 seconds",
  "from acceptance to the first look at /status (STAT-7)",
  "gateways process within seconds; the pause doubles with each look",
  "1 ms: sending/StatusPoller.test"
)

export const holdOff = time(
  "5 seconds",
  "before an interrupted store is trusted again",
  "every process tries the store once a second and may know an attempt that it lacks",
  "1 ms: account/OpenAccount.test"
)

export const keptTexts = count(
  50,
  "different texts that are kept of one request",
  "a gateway that changes its text with every look must not fill the store",
  "1: sending/Unproven.test"
)

export const lastHours = time(
  "4 hours",
  "in which the account could send without a gap, before time settles a failure",
  "a gateway that could not send for a while works off its queue for up to 3 hours 20 minutes",
  "0 ms: store/Settled.test"
)

export const lease = time(
  "2 minutes",
  "for which a lane belongs to its worker without a sign of life",
  "longer than the longest request, so that no lane is taken over under a request",
  "70 seconds: sending/Submitter.test"
)

export const leastLooks = count(
  3,
  "looks that settle a failure by time, at least",
  "a nightly job looks a few times each night; two looks may both hit one restart of the gateway",
  "2: store/Settled.test"
)

export const longestBackOff = time(
  "10 minutes",
  "of a stopped lane",
  "an outage is noticed as ended within minutes, and its gateway is not flooded",
  "1 hour: sending/Submitter.test"
)

export const longestPause = time(
  "1 hour",
  "between two looks at /status",
  "a request that is pending for hours still has its outcome on the same day",
  "10 seconds: sending/StatusPoller.test"
)

export const longestRequest = time(
  "75 seconds",
  "of one submission",
  "longer than the client's own limit of 60 s, which is normally the one that ends a request",
  "2 minutes: sending/Submitter.test"
)

export const longestWait = time(
  "1 day",
  "for which a document may stay Planned, Sending or Accepted",
  "nightly jobs and weekends of a gateway's operator",
  "30 days: store/Health.test"
)

export const oneRead = time(
  "5 seconds",
  "for one read of the gateway that opening or a sweep waits for",
  "without its answer the secret, the control or the account counts as not known",
  "1 hour: account/OpenAccount.test"
)

export const permission = time(
  "10 minutes",
  "for which a permission to send is valid after its reads",
  "a device is seldom exchanged; a failed document asks again at once",
  "1 hour: account/OpenAccount.test"
)

export const probe = time(
  "15 minutes",
  "between two documents that test a lane whose documents all fail",
  "a cause that is removed is noticed soon, and few documents fail meanwhile",
  "1 hour: sending/LaneCauses.test"
)

export const proofMissingAfter = time(
  "10 minutes",
  "after which a success without a proof is reported",
  "gateways print and sign after they report a success; the looks of ten minutes cover that",
  "0 ms: attention/Attention.test"
)

export const quietMargin = time(
  "1 minute",
  "for which a network may hold a request, beyond lease and longest request",
  "proxies deliver a request after its client has given up",
  "0: sending/QuietPeriod.test"
)

export const quietPeriod = time(
  "5 minutes",
  "from the last request of a document to the next one",
  "lease, longest request and margin together, rounded up",
  "1 minute: sending/QuietPeriod.test"
)

export const retention = time(
  "7 days",
  "for which the gateway answers for a request",
  "the contract says so (docs/gateway.md#limits)",
  "8 days: sending/StatusPoller.test"
)

export const retentionWarning = time(
  "2 days",
  "before the end of the retention",
  "a weekend, so that an operator can still ask",
  "1 ms: store/Health.test"
)

export const sameCause = count(
  3,
  "failures in a row of one cause, after which a lane sends one document at a time",
  "one or two documents may have the same fault by chance",
  "1000: sending/LaneCauses.test"
)

export const sameFailure = count(
  10,
  "failures in a row of one cause, after which a lane stops",
  "documents of one buyer or one article have the same fault; ten in a row are no longer chance",
  "1000: sending/LaneCauses.test"
)

export const stopCounts = time(
  "7 days",
  "for which the stop of an account without waiting documents needs attention",
  "an account that is not used any more must not alarm for ever",
  "30 days: attention/Attention.test"
)

export const unanswered = time(
  "1 hour",
  "for which an Accepted document may be missing from every status",
  "several looks have gone by; a document that the gateway lost is not awaited for 7 days in silence",
  "1 day: store/Health.test"
)

export const unclaimed = time(
  "8 days",
  "for which an outcome of an unknown request id is kept",
  "longer than the retention, so that every request that may claim it can be asked for meanwhile",
  "1 day: sending/WebhookReceiver.test"
)

export const unproven = time(
  "20 hours",
  "after which the same failure in every look is a result (STAT-9)",
  "a gateway retries for minutes to hours; a nightly job settles what yesterday's sent",
  "5 minutes: store/Settled.test"
)

export const unprovenLeft = time(
  "1 minute",
  "for which a run waits if only documents are left whose failure proves nothing",
  "an outcome may follow at once, but the time that settles such a failure is hours",
  "1 hour: sending/Unproven.test"
)

export const unworked = time(
  "15 minutes",
  "for which documents may wait without a worker",
  "longer than a restart of a service, shorter than an operator's notice of a dead one",
  "1 hour: attention/Attention.test"
)

export const unwritten = time(
  "30 seconds",
  "for which writes to the store may fail before the failure is reported",
  "a backup or a restart of the database is over within seconds",
  "1 hour: sending/Worker.test"
)

/** Policy of a worker. Users can set `lanes`, `look`, `turn` and `pause`. */
export const worker = {
  lanes: count(
    16,
    "lanes that send at once",
    "a lane mostly waits for its gateway, so one process sends in many",
    "1: sending/Worker.test"
  ),
  look: time(
    "250 millis",
    "between looks at the store if no change is announced",
    "a dead worker is noticed, and a document of another process is sent, within a second",
    "1 hour: sending/Worker.test"
  ),
  turn: time(
    "5 seconds",
    "for which a lane sends while other lanes wait for a slot",
    "a lane hands over seldom, and no lane waits for minutes",
    "1 hour: sending/Worker.test"
  ),
  pause: time(
    "1 minute",
    "until an account that could not be opened is tried again",
    "only an operator, or the gateway's, ends such a refusal",
    "1 hour: sending/Worker.test"
  ),
  betweenLooks: time(
    "1 second",
    "between looks for due outcomes, and at a lane whose time to continue is unknown",
    "due times are exact to a second; another worker's answer comes within seconds",
    "1 hour: sending/Worker.test"
  ),
  longestWait: time(
    "10 seconds",
    "until a waiting lane is looked at again",
    "another process may have planned an earlier document",
    "1 hour: sending/Worker.test"
  ),
  betweenDayLooks: time(
    "15 minutes",
    "between comparisons of closed fiscal days",
    "a day is closed once, but a late outcome may still explain a difference",
    "1 hour: day/DayDifferences.test"
  ),
  betweenProbes: time(
    "10 seconds",
    "between looks at writes that fail",
    "a disk that has room again is noticed soon",
    "1 hour: sending/Worker.test"
  ),
  together: time(
    "50 millis",
    "for which a wake-up waits for others",
    "wake-ups come in groups, and one look serves the group",
    "1 hour: sending/Worker.test"
  )
} as const

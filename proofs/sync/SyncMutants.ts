/**
 * Mistakes in the pull of a source: each has cost users of other connectors their invoices. Three
 * mistakes are not listed, because a run repairs them itself, and 60 trials found none of them: a
 * skipped page (pages are read again until no new record appears), a request that begins after the
 * second of the last record (the next run begins five minutes earlier), and a watermark that is not
 * held at the beginning of the reading (likewise).
 */

/** One mistake. */
export interface SyncMutant {
  readonly name: string
  /** Below packages/. */
  readonly file: string
  /** Each text is in the file exactly once. */
  readonly edits: ReadonlyArray<readonly [find: string, replace: string]>
  /** File of tests that finds the mistake. Absent: the laws of the proof `sync` find it. */
  readonly tests?: string
}

const walk = "core/src/pull/Walk.ts"
const pulling = "core/src/pull/Pulling.ts"
const sync = "core/src/pull/Sync.ts"
const xero = "adapter-xero-like/src"
const tests = (name: string) => `packages/cli/test/${name}.test.ts`

export const mutants: ReadonlyArray<SyncMutant> = [
  {
    name: "the watermark is from this machine's clock",
    file: walk,
    edits: [
      [
        "return { records, mark: records.length === 0 ? mark : capped, calls }",
        "return { records, mark: records.length === 0 ? mark : Math.max(capped, yield* Clock.currentTimeMillis), calls }"
      ]
    ]
  },
  {
    name: "a run begins at the watermark, without an overlap",
    file: walk,
    edits: [["wholeSecond(mark - Duration.toMillis(overlap))", "wholeSecond(mark - 0 * Duration.toMillis(overlap))"]]
  },
  {
    name: "pages are read by their numbers alone, while they shift",
    file: walk,
    edits: [
      [
        'const moves = answer.more === "more" && next !== null && (since === null || next > since)',
        "const moves = false"
      ],
      ["const isSettled = page === 1 || news === 0", "const isSettled = true"],
      ["if (moves && isSettled && next >= until) break", "if (moves && isSettled && next! >= until) break"]
    ]
  },
  {
    name: "a 429 is the end of a list",
    file: "adapter-kit/src/SourceRequest.ts",
    edits: [
      [
        "const wait = retryAfter(response)",
        'if (waited === 0) return { response, text: \'{"Invoices":[],"CreditNotes":[],"Contacts":[]}\' }\n      const wait = retryAfter(response)'
      ]
    ]
  },
  {
    name: "statuses are filtered at the source",
    file: `${xero}/XeroLikeSource.ts`,
    edits: [
      [
        'const order = { order: "UpdatedDateUTC", ...prices }',
        'const order = { order: "UpdatedDateUTC", ...prices, Statuses: "AUTHORISED,PAID" }'
      ]
    ]
  },
  {
    name: "the watermark moves before the documents are accepted",
    file: sync,
    edits: [
      [
        "const consent = yield* Session.consent(account, planned, order.settings)",
        "yield* store.liveSources.record(record)\n    const consent = yield* Session.consent(account, planned, order.settings)"
      ]
    ]
  },
  {
    name: "documents are never compared one by one",
    file: sync,
    edits: [["const isSweepDue =\n      !first &&", "const isSweepDue =\n      first && !first &&"]]
  },
  {
    name: "a new refresh token is used before it is written, and lost with its process",
    file: "core/src/pull/TokenFile.ts",
    edits: [
      ["yield* write(storedOf(fresh, before.refreshToken, now))", "void storedOf(fresh, before.refreshToken, now)"]
    ]
  },
  {
    name: "a change of a known document is nothing new",
    file: sync,
    edits: [['before?.modified !== modified || before.standing === "gone"', "before === undefined && modified > 0"]]
  },
  {
    name: "documents that the source deleted are ignored",
    file: pulling,
    edits: [
      [
        "return { gone: candidates.filter((one) => isMissing(one, second)), calls: listed.calls }",
        "return { gone: candidates.filter((one) => !isMissing(one, second) && seen.length < 0), calls: listed.calls }"
      ]
    ]
  },
  {
    name: "a document is absent because a list leaves it out",
    file: pulling,
    edits: [
      [
        "!there.has(id) && !latest.byId.has(id) && absent.has(id)",
        "!there.has(id) && !latest.byId.has(id) && absent !== undefined"
      ]
    ],
    tests: tests("OdooLikeSource")
  },
  {
    name: "a source answers that a document is absent because its list leaves it out",
    file: "adapter-odoo-like/src/OdooLikeSource.ts",
    edits: [
      [
        "const absent = yield* Effect.filter(left, (id) => Effect.map(exists(id), (found) => found === false))",
        "const absent = yield* Effect.filter(left, (id) => Effect.map(exists(id), (found) => found !== undefined))"
      ]
    ],
    tests: tests("OdooLikeSource")
  },
  {
    name: "a refused request is absence",
    file: `${xero}/XeroLikeSource.ts`,
    edits: [
      ['reason._tag === "Refused" && reason.status === 404', 'reason._tag === "Refused" && reason.status >= 403']
    ],
    tests: tests("XeroLikeSource")
  },
  {
    name: "a quiet run asks for no refused document again",
    file: pulling,
    edits: [
      [
        "return [...changed, ...others.slice(0, requestsAgain * idsPerCall(live, endpoint))]",
        "return [...changed, ...others.slice(0, 0 * requestsAgain * idsPerCall(live, endpoint))]"
      ]
    ],
    tests: tests("Sync")
  },
  {
    name: "a quiet run drops its refused documents",
    file: sync,
    edits: [
      ["const refused = Outcomes.stillRefused(pulled)", "const refused = Outcomes.stillRefused(pulled).slice(0, 0)"]
    ],
    tests: tests("Sync")
  },
  {
    name: "credit notes are asked for by a parameter that their list does not have",
    file: `${xero}/XeroLikeSource.ts`,
    edits: [
      ['endpoint === "CreditNotes"\n          ? []', 'endpoint !== "CreditNotes" && ids.length === 0\n          ? []']
    ],
    tests: tests("XeroLikeSource")
  },
  {
    name: "a call has an argument that its method does not have",
    file: "adapter-odoo-like/src/OdooLikeSource.ts",
    edits: [
      [
        'const named = { domain: own, fields, order: "write_date, id", limit }',
        'const named = { domain: own, fields, order: "write_date, id", limit, states: "all" }'
      ]
    ],
    tests: tests("OdooLikeSource")
  },
  {
    name: "a list with documents of another tenant is read",
    file: pulling,
    edits: [["if (foreign === undefined) return\n", "if (foreign === undefined || endpoint.length > 0) return\n"]],
    tests: tests("Sync")
  }
]

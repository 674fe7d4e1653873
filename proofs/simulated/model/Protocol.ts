/**
 * Model of the sending protocol, without anything else: the possible steps of each state, and the
 * guards that forbid steps. `Explore.ts` explores every order of steps; `main.ts` shows the result
 * without each guard. To check the protocol, read `guards`, then `steps` from top to bottom.
 *
 * - Three clients send the documents of one lane through one store. The store may go back to an
 *   earlier copy while the clients run. The copy may lack the lane.
 * - One witness file, which all clients read and write, contains the newest attempt. The file is on
 *   another disk and does not go back.
 * - The gateway may hold a request for longer than its client waits, and may take a request before
 *   `/status` knows its id.
 * - One operator reports truthfully what the gateway's portal shows at the moment. Nobody else
 *   decides. A bound may let the operator overlook a request in the portal. The gateway then
 *   refuses the same document a second time, and takes a corrected one.
 *
 * Assumptions: a commit is atomic; a request arrives at most once. A quiet period is longer than
 * any request can be under way, so it ends only when none of its attempts can arrive. Time has no
 * other form in the model: any step may come before or after any other.
 */

/** Guards of the code. Without any one of them, `main.ts` finds a document with two receipts. */
export const guards = {
  "same-attempt": "Begins only where the store contains the newest attempt that this client knows of",
  token: "Recognizes an attempt by its random token; a counter may be ahead in an older copy",
  renewal: "Reads the witness again after the connection to the store was lost, before anything more is begun",
  "witness-grows": "Never replaces what the witness recorded by less, except when an operator accepts an older copy",
  "quiet-period": "Lets no decision free a document while one of its requests may still arrive",
  doubt: "After an older copy was accepted, sends nothing that an operator has not released",
  "quiet-acceptance":
    "Lets no decision free a document right after an older copy was accepted: lost requests may still arrive",
  acceptance:
    "Begins the lane anew with a token of its own where an older copy is accepted, so that going back once more is seen",
  "one-row":
    "Stops the whole store once any lane has recognized an older copy, also a lane that is first used after the copy was made",
  "hand-over": "Hands no request to the socket once the lease may be over, however long the process was stopped",
  "word-answered":
    "Holds a document whose request was refused after an operator had called an earlier one not processed",
  "no-result": "Takes the answer that an id is not known for no result, not for a rejection"
} as const satisfies Record<string, string>
export type Guard = keyof typeof guards

/** Size of the explored world. */
export interface Bound {
  readonly documents: number
  /** Number of attempts in all. */
  readonly attempts: number
  /** Number of times the store goes back. */
  readonly returns: number
  /**
   * Number of witness files. With one per client, a client without an attempt since the copy cannot
   * know of the others' attempts (`limits` in main.ts).
   */
  readonly witness: "shared" | "one each"
  /**
   * Lane of the documents. `first used after the copy`: a copy is made only before the documents
   * are imported, and another lane recognizes the copy as soon as the store goes back.
   */
  readonly lane: "used before" | "first used after the copy"
  /** Number of requests that the operator overlooks in the portal. Default 0. */
  readonly oversights?: number
}

/**
 * Index of an attempt in `World.requests`; below zero, the token of an acceptance. In the code the
 * token is random and never reused.
 */
type Token = number

/** Progress of the lane: remembered by clients and witnesses, and compared with the store. */
export interface Mark {
  readonly token: Token
  /** Count of the store. After a jump of the sequence, an older copy may give a higher number. */
  readonly number: number
}

export interface Attempt extends Mark {
  readonly document: number
}

export type Document =
  | { readonly is: "absent" | "planned" | "held" | "fiscalised" | "rejected" | "contradicted" }
  | { readonly is: "sending" | "unknown" | "accepted"; readonly token: Token }

/** Contents of the store: all of it is lost when the store goes back. */
export interface Store {
  readonly documents: ReadonlyArray<Document>
  /** Attempts, and acceptances of an older copy; the newest last. */
  readonly marks: ReadonlyArray<Mark>
  readonly counter: number
  /** True if an operator has accepted an older copy. */
  readonly isDoubtful: boolean
  /** True if another lane has recognized the store as an older copy. */
  readonly isStopped: boolean
  /** Number of corrections of each document, where the operator may overlook a request. */
  readonly revisions: ReadonlyArray<number>
}

export interface Client {
  /** Newest mark that the process knows: its own attempt, or the mark it read in the witness. */
  readonly knows: Mark | null
  readonly permission: "valid" | "to be renewed"
  /**
   * Work of the client. `begun`: committed, but not handed to the socket yet. `stopped`: the same,
   * for longer than the lease. `waiting`: for the answer.
   */
  readonly work: { readonly is: "idle" } | { readonly is: "begun" | "stopped" | "waiting"; readonly attempt: Attempt }
}

/** Place of a request. `taken`: the gateway has the request, but `/status` does not know it yet. */
export type Request = "not handed over" | "under way" | "lost" | "taken" | "failed" | "receipt"

export interface World {
  readonly store: Store
  readonly copy: Store | null
  readonly clients: ReadonlyArray<Client>
  readonly witnesses: ReadonlyArray<Mark | null>
  /**
   * Requests by token, with their documents. They belong to the gateway and the network, and do not
   * go back.
   */
  readonly requests: ReadonlyArray<{ readonly document: number; readonly is: Request; readonly revision: number }>
  /** Documents of which the operator has overlooked a request. */
  readonly overlooked: ReadonlyArray<number>
  readonly returns: number
  /** Number of acceptances of an older copy. */
  readonly acceptances: number
}

/** One step: its description, and the world after it. */
export interface Step {
  readonly text: string
  readonly after: World
}

const clients = ["A", "B", "C"] as const

/** Returns the world before the first step. */
export const beginning = ({ documents, lane, witness }: Bound): World => ({
  store: {
    documents: Array.from({ length: documents }, () => ({ is: lane === "used before" ? "planned" : "absent" })),
    marks: [],
    counter: 0,
    isDoubtful: false,
    isStopped: false,
    revisions: Array.from({ length: documents }, () => 0)
  },
  copy: null,
  clients: clients.map(() => ({ knows: null, permission: "valid", work: { is: "idle" } })),
  witnesses: Array.from({ length: witness === "shared" ? 1 : clients.length }, () => null),
  requests: [],
  overlooked: [],
  returns: 0,
  acceptances: 0
})

/** Returns true if a world breaks the law: at most one receipt per document. */
export const isBroken = ({ requests, store }: World): boolean =>
  store.documents.some(
    (_, document) => requests.filter((request) => request.document === document && request.is === "receipt").length > 1
  )

const replaced = <A>(list: ReadonlyArray<A>, at: number, by: A): ReadonlyArray<A> => list.with(at, by)

/** Yields every possible step of a world. */
export function* steps(world: World, bound: Bound, has: (guard: Guard) => boolean): Generator<Step> {
  const { requests, store } = world
  const names = store.documents.map((_, at) => `document ${at + 1}`)

  const contains = (mark: Mark, within: Store): boolean =>
    has("token") ? within.marks.some(({ token }) => token === mark.token) : within.counter >= mark.number
  const { oversights = 0 } = bound
  const witnessOf = (client: number): number => (bound.witness === "shared" ? 0 : client)
  const newest = store.marks.at(-1) ?? null
  const held: Document = { is: "held" }
  /**
   * Returns the state of a document that may be sent again: planned, or held until an operator has
   * looked.
   */
  const freed = ({ isDoubtful }: Store): Document => (isDoubtful && has("doubt") ? held : { is: "planned" })
  const setDocument = (at: number, to: Document): Store => ({ ...store, documents: replaced(store.documents, at, to) })
  const setClient = (at: number, to: Partial<Client>, after: World = world): World => ({
    ...after,
    clients: replaced(after.clients, at, { ...after.clients[at]!, ...to })
  })
  const setRequest = (token: Token, is: Request, after: World = world): World => ({
    ...after,
    requests: replaced(after.requests, token, { ...after.requests[token]!, is })
  })

  const isBegun = (token: Token): boolean =>
    world.clients.some(({ work }) => work.is === "begun" && work.attempt.token === token)
  /**
   * Returns true during the quiet period of an attempt: its request is on its way, or may still be
   * handed over within the lease.
   */
  const isQuiet = (token: Token): boolean => requests[token]!.is === "under way" || isBegun(token)

  // ---- the clients

  for (const [at, { knows, permission, work }] of world.clients.entries()) {
    const client = `client ${clients[at]}`
    const witness = world.witnesses[witnessOf(at)] ?? null

    // A client that lost its connection, or has just started, reads the witness and compares it
    // with the store.
    if (permission === "to be renewed") {
      const isOlder = store.isStopped || (has("same-attempt") && witness !== null && !contains(witness, store))
      if (!isOlder)
        yield {
          text: `${client} renews its permission`,
          after: setClient(at, { permission: "valid", knows: knows ?? witness })
        }
    }

    // A client begins the first planned document of the lane if no document of the lane is being
    // sent. It commits the attempt and records it in the witness.
    if (work.is === "idle" && permission === "valid" && requests.length < bound.attempts) {
      const isFree = store.documents.every(({ is }) => is !== "sending" && is !== "unknown")
      const head = store.documents.findIndex(({ is }) => is === "planned")
      const isOlder = store.isStopped || (has("same-attempt") && knows !== null && !contains(knows, store))
      if (isFree && head !== -1 && !isOlder) {
        const attempt: Attempt = { token: requests.length, number: store.counter + 1, document: head }
        const begun = setDocument(head, { is: "sending", token: attempt.token })
        const after: World = {
          ...world,
          store: { ...begun, marks: [...store.marks, attempt], counter: attempt.number },
          requests: [...requests, { document: head, is: "not handed over", revision: store.revisions[head]! }],
          witnesses: replaced(world.witnesses, witnessOf(at), attempt)
        }
        yield {
          text: `${client} begins ${names[head]}`,
          after: setClient(at, { knows: attempt, work: { is: "begun", attempt } }, after)
        }
      }
    }

    // The client hands the request to the socket; before, the process may be stopped for a while or
    // for ever.
    if (work.is === "begun" || work.is === "stopped") {
      const { attempt } = work
      if (work.is === "begun")
        yield {
          text: `${client} is stopped for longer than its lease`,
          after: setClient(at, { work: { is: "stopped", attempt } })
        }
      if (work.is === "begun" || !has("hand-over"))
        yield {
          text: `${client} sends ${names[attempt.document]}`,
          after: setClient(at, { work: { is: "waiting", attempt } }, setRequest(attempt.token, "under way"))
        }
    }

    // The client records the answer, or its time limit, if the attempt is still in the store.
    if (work.is === "waiting") {
      const { document, token } = work.attempt
      const own = store.documents[document]
      const isOwn = own?.is === "sending" && own.token === token
      const idle = (to: Document) =>
        setClient(at, { work: { is: "idle" } }, isOwn ? { ...world, store: setDocument(document, to) } : world)
      const { is } = requests[token]!
      if (is === "taken" || is === "failed" || is === "receipt")
        yield { text: `${client} hears that ${names[document]} was taken`, after: idle({ is: "accepted", token }) }
      yield { text: `${client} waits for ${names[document]} no longer`, after: idle({ is: "unknown", token }) }
    }

    // The process ends and records the progress of the store in the witness; another process
    // replaces it.
    if (work.is === "idle" && knows !== null) {
      const kept = has("witness-grows") && witness !== null && !contains(witness, store) ? witness : newest
      const after: World = { ...world, witnesses: replaced(world.witnesses, witnessOf(at), kept) }
      yield {
        text: `${client} is restarted`,
        after: setClient(at, { knows: null, permission: "to be renewed" }, after)
      }
    }
  }

  for (const [at, document] of store.documents.entries()) {
    const own = requests.flatMap((request, token) => (request.document === at ? [{ ...request, token }] : []))
    const recorded = own.filter(({ token }) => store.marks.some((mark) => mark.token === token))
    const inPortal = own.find(({ is }) => is === "receipt" || is === "taken")
    const next = (to: Document): World => ({ ...world, store: setDocument(at, to) })
    const again = freed(store)

    // A document is imported, perhaps once more after the store went back.
    if (document.is === "absent" && !store.isStopped) yield { text: `${names[at]} is imported`, after: next(again) }

    // Another client takes over the lane: the lease has ended, or its holder is known to be dead.
    if (document.is === "sending" && !isBegun(document.token))
      yield {
        text: `the lane is taken over from the client that has ${names[at]}`,
        after: next({ is: "unknown", token: document.token })
      }

    // A client reads the status of an accepted document.
    if (document.is === "accepted") {
      const { is } = requests[document.token]!
      if (is === "receipt") yield { text: `${names[at]} is fiscalised`, after: next({ is: "fiscalised" }) }
      // A refusal answers the operator's statement about an earlier request of the document.
      const isAnswered = has("word-answered") && world.overlooked.includes(at)
      if (is === "failed")
        yield { text: `${names[at]} is rejected`, after: next({ is: isAnswered ? "contradicted" : "rejected" }) }
      if (is === "taken" && !has("no-result"))
        yield {
          text: `the gateway does not know the id of ${names[at]} yet, and the document is rejected`,
          after: next({ is: "rejected" })
        }
    }

    // A rejected document is corrected and submitted again.
    if (document.is === "rejected") {
      const revisions = oversights > 0 ? store.revisions.with(at, store.revisions[at]! + 1) : store.revisions
      const { store: corrected } = next(again)
      yield { text: `${names[at]} is corrected`, after: { ...world, store: { ...corrected, revisions } } }
    }

    // ---- the operator, who sees the current state of the portal

    if (document.is === "unknown" && inPortal !== undefined)
      yield {
        text: `the operator finds ${names[at]} in the portal`,
        after: next({ is: "accepted", token: inPortal.token })
      }
    if (
      document.is === "unknown" &&
      inPortal === undefined &&
      !(has("quiet-period") && recorded.some(({ token }) => isQuiet(token)))
    )
      yield { text: `the operator finds nothing of ${names[at]}: not processed`, after: next(again) }

    // The operator overlooks the request in the portal.
    if (document.is === "unknown" && inPortal !== undefined && world.overlooked.length < oversights)
      yield {
        text: `the operator overlooks ${names[at]} in the portal: not processed`,
        after: { ...next(again), overlooked: [...world.overlooked, at] }
      }

    // The operator looks again, with the words of the refusal.
    if (document.is === "contradicted" && inPortal !== undefined)
      yield {
        text: `the operator finds ${names[at]} in the portal after all`,
        after: next({ is: "accepted", token: inPortal.token })
      }
    if (document.is === "contradicted" && inPortal === undefined && !recorded.some(({ token }) => isQuiet(token)))
      yield {
        text: `the operator finds nothing of ${names[at]} again: may be corrected`,
        after: next({ is: "rejected" })
      }

    // After an accepted older copy, lost attempts are not listed. So the quiet period counts from
    // the acceptance.
    if (document.is === "held" && inPortal !== undefined)
      yield {
        text: `the operator finds ${names[at]} in the portal`,
        after: next({ is: "accepted", token: inPortal.token })
      }
    if (
      document.is === "held" &&
      inPortal === undefined &&
      !(has("quiet-acceptance") && own.some(({ token }) => isQuiet(token)))
    )
      yield { text: `the operator finds nothing of ${names[at]}: to be sent`, after: next({ is: "planned" }) }
  }

  // An operator can accept an older copy only if a client refuses the copy.
  const isRefusedAnywhere = world.witnesses.some((witness) => witness !== null && !contains(witness, store))
  if (isRefusedAnywhere || store.isStopped) {
    // A separate mark: without one, the store looks the same after going back again.
    const mark: Mark = { token: -1 - world.acceptances, number: store.counter + 1 }
    const marks = has("acceptance") ? [...store.marks, mark] : store.marks
    const documents = store.documents.map((document) => (document.is === "planned" && has("doubt") ? held : document))
    yield {
      text: "the operator accepts the older copy",
      after: {
        ...world,
        store: {
          ...store,
          documents,
          marks,
          counter: Math.max(store.counter, marks.at(-1)?.number ?? 0),
          isDoubtful: true,
          isStopped: false
        },
        witnesses: world.witnesses.map(() => marks.at(-1) ?? null),
        acceptances: world.acceptances + 1
      }
    }
  }

  // ---- the network and the gateway

  for (const [token, { document, is, revision }] of requests.entries()) {
    const what = `the request of ${names[document]} (attempt ${token + 1})`
    if (is === "under way") {
      const isKnown = requests.some(
        (other) =>
          other.document === document && other.revision === revision && (other.is === "taken" || other.is === "receipt")
      )
      // A gateway that knows its documents is needed only for oversights.
      const isRefused = oversights > 0 && isKnown
      yield {
        text: `${what} arrives${isRefused ? ", and is refused" : ""}`,
        after: setRequest(token, isRefused ? "failed" : "taken")
      }
      yield { text: `${what} is lost`, after: setRequest(token, "lost") }
    }
    if (is === "taken") {
      yield { text: `${what} gets a receipt`, after: setRequest(token, "receipt") }
      yield { text: `${what} fails`, after: setRequest(token, "failed") }
    }
  }

  // ---- the store

  const isNewLane = bound.lane === "first used after the copy"
  const mayCopy = !isNewLane || store.documents.every(({ is }) => is === "absent")
  if (world.copy === null && bound.returns > 0 && mayCopy)
    yield { text: "the store is copied", after: { ...world, copy: store } }
  if (world.copy !== null && world.returns < bound.returns) {
    // A sequence may be ahead by then, and the copy continues from the higher number.
    for (const counter of new Set([world.copy.counter, store.counter])) {
      const jumped = counter > world.copy.counter ? ", and its counter is ahead" : ""
      yield {
        text: `the store goes back to the copy${jumped}`,
        after: {
          ...world,
          store: { ...world.copy, counter, isStopped: isNewLane && has("one-row") },
          returns: world.returns + 1,
          // Every connection was lost.
          clients: world.clients.map((client) => (has("renewal") ? { ...client, permission: "to be renewed" } : client))
        }
      }
    }
  }
}

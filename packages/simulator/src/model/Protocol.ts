/**
 * The protocol of sending, without anything else: which steps are possible in a state, and which guard forbids which step. `Explore.ts` walks through
 * every order of steps; `main.ts` shows what happens without each guard. To check the protocol, read `guards`, then `steps` from top to bottom.
 *
 * - Three clients send the documents of one lane through one store. The store may go back to an earlier copy of itself while the clients run.
 * - One witness file, which all clients read and write, has the newest attempt that was begun. It is on another disk and does not go back.
 * - The gateway may hold a request for longer than its client waits, and may take it before `/status` knows its id.
 * - One operator tells the truth about what the gateway's portal shows at that moment. Nobody else decides.
 *
 * Assumed: a commit is atomic; a request arrives at most once; a quiet period is longer than any request can be under way, so that it is over only
 * when none of the attempts it counts from can arrive. Time has no other form here: any step may come before or after any other.
 */

/** Each guard that the code has, and where. Without any one of them `main.ts` finds a document with two receipts. */
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
  "hand-over": "Hands no request to the socket once the lease may be over, however long the process was stopped",
  "no-result": "Takes the answer that an id is not known for no result, not for a rejection"
} as const satisfies Record<string, string>
export type Guard = keyof typeof guards

/** How large the explored world is. */
export interface Bound {
  readonly documents: number
  /** How many attempts are made in all. */
  readonly attempts: number
  /** How often the store goes back. */
  readonly returns: number
  /** With a witness for each client, a client that has begun nothing since the copy cannot know of others' attempts (`limits` in main.ts). */
  readonly witness: "shared" | "one each"
}

/** The index of an attempt in `World.requests`; below zero, the token of an acceptance. Random in the code, and never used twice. */
type Token = number

/** How far the lane has come: what clients and witnesses remember, and what the store is asked for. */
export interface Mark {
  readonly token: Token
  /** The store's count. A sequence that jumped may give an older copy a higher number. */
  readonly number: number
}

export interface Attempt extends Mark {
  readonly document: number
}

export type Document =
  | { readonly is: "planned" | "held" | "fiscalised" | "rejected" }
  | { readonly is: "sending" | "unknown" | "accepted"; readonly token: Token }

/** The contents of the store: all of it is lost when the store goes back. */
export interface Store {
  readonly documents: ReadonlyArray<Document>
  /** Attempts, and acceptances of an older copy; the newest last. */
  readonly marks: ReadonlyArray<Mark>
  readonly counter: number
  /** An operator has accepted an older copy. */
  readonly isDoubtful: boolean
}

export interface Client {
  /** The newest mark that the process knows of: its own attempt, or the one that it read in the witness. */
  readonly knows: Mark | null
  readonly permission: "valid" | "to be renewed"
  /** `begun`: committed, and not handed to the socket yet. `stopped`: the same, for longer than the lease. `waiting`: for the answer. */
  readonly work: { readonly is: "idle" } | { readonly is: "begun" | "stopped" | "waiting"; readonly attempt: Attempt }
}

/** The place of a request. `taken`: the gateway has it, and `/status` does not know it yet. */
export type Request = "not handed over" | "under way" | "lost" | "taken" | "failed" | "receipt"

export interface World {
  readonly store: Store
  readonly copy: Store | null
  readonly clients: ReadonlyArray<Client>
  readonly witnesses: ReadonlyArray<Mark | null>
  /** By token, with the document. They are the gateway's and the network's, and do not go back. */
  readonly requests: ReadonlyArray<{ readonly document: number; readonly is: Request }>
  readonly returns: number
  /** How often an operator has accepted an older copy. */
  readonly acceptances: number
}

/** One step: what happens, in words, and the world after it. */
export interface Step {
  readonly text: string
  readonly after: World
}

const clients = ["A", "B", "C"] as const

/** The world before anything happened. */
export const beginning = ({ documents, witness }: Bound): World => ({
  store: {
    documents: Array.from({ length: documents }, () => ({ is: "planned" as const })),
    marks: [],
    counter: 0,
    isDoubtful: false
  },
  copy: null,
  clients: clients.map(() => ({ knows: null, permission: "valid", work: { is: "idle" } })),
  witnesses: Array.from({ length: witness === "shared" ? 1 : clients.length }, () => null),
  requests: [],
  returns: 0,
  acceptances: 0
})

/** True in a world that breaks the law: at most one receipt per document. */
export const isBroken = ({ requests, store }: World): boolean =>
  store.documents.some(
    (_, document) => requests.filter((request) => request.document === document && request.is === "receipt").length > 1
  )

const replaced = <A>(list: ReadonlyArray<A>, at: number, by: A): ReadonlyArray<A> => list.with(at, by)

/** Every step that is possible in a world. */
export function* steps(world: World, bound: Bound, has: (guard: Guard) => boolean): Generator<Step> {
  const { requests, store } = world
  const names = store.documents.map((_, at) => `document ${at + 1}`)

  const contains = (mark: Mark, within: Store): boolean =>
    has("token") ? within.marks.some(({ token }) => token === mark.token) : within.counter >= mark.number
  const witnessOf = (client: number): number => (bound.witness === "shared" ? 0 : client)
  const newest = store.marks.at(-1) ?? null
  const held: Document = { is: "held" }
  /** A document that may be sent again: by itself, or once an operator has looked. */
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
  /** True while the quiet period of an attempt runs: its request is on its way, or may be handed over, since the lease is not over. */
  const isQuiet = (token: Token): boolean => requests[token]!.is === "under way" || isBegun(token)

  // ---- the clients

  for (const [at, { knows, permission, work }] of world.clients.entries()) {
    const client = `client ${clients[at]}`
    const witness = world.witnesses[witnessOf(at)] ?? null

    // a client that lost its connection, or has just been started, reads the witness and holds it against the store
    if (permission === "to be renewed") {
      const isOlder = has("same-attempt") && witness !== null && !contains(witness, store)
      if (!isOlder)
        yield {
          text: `${client} renews its permission`,
          after: setClient(at, { permission: "valid", knows: knows ?? witness })
        }
    }

    // the head of the lane is begun where nothing of the lane is under way; the attempt is committed, and recorded beside the store
    if (work.is === "idle" && permission === "valid" && requests.length < bound.attempts) {
      const isFree = store.documents.every(({ is }) => is !== "sending" && is !== "unknown")
      const head = store.documents.findIndex(({ is }) => is === "planned")
      const isOlder = has("same-attempt") && knows !== null && !contains(knows, store)
      if (isFree && head !== -1 && !isOlder) {
        const attempt: Attempt = { token: requests.length, number: store.counter + 1, document: head }
        const begun = setDocument(head, { is: "sending", token: attempt.token })
        const after: World = {
          ...world,
          store: { ...begun, marks: [...store.marks, attempt], counter: attempt.number },
          requests: [...requests, { document: head, is: "not handed over" }],
          witnesses: replaced(world.witnesses, witnessOf(at), attempt)
        }
        yield {
          text: `${client} begins ${names[head]}`,
          after: setClient(at, { knows: attempt, work: { is: "begun", attempt } }, after)
        }
      }
    }

    // the request goes to the socket; the process may be stopped before, by the system or for ever
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

    // the answer, or the end of the client's patience, is written where the attempt is still in the store
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

    // the process ends and says beside the store how far the store has come; another is started in its place
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

    // another client takes the lane over: the lease is over, or the process that had it is known to be gone
    if (document.is === "sending" && !isBegun(document.token))
      yield {
        text: `the lane is taken over from the client that has ${names[at]}`,
        after: next({ is: "unknown", token: document.token })
      }

    // the status of an accepted document
    if (document.is === "accepted") {
      const { is } = requests[document.token]!
      if (is === "receipt") yield { text: `${names[at]} is fiscalised`, after: next({ is: "fiscalised" }) }
      if (is === "failed") yield { text: `${names[at]} is rejected`, after: next({ is: "rejected" }) }
      if (is === "taken" && !has("no-result"))
        yield {
          text: `the gateway does not know the id of ${names[at]} yet, and the document is rejected`,
          after: next({ is: "rejected" })
        }
    }

    // a rejected document is corrected, and comes again
    if (document.is === "rejected") yield { text: `${names[at]} is corrected`, after: next(again) }

    // ---- the operator, who looks in the portal and finds what is there at that moment

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

    // after an older copy was accepted; attempts that were lost are in no list, so the quiet period counts from the acceptance
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

  // an operator can accept an older copy where a client refuses it
  const isRefusedAnywhere = world.witnesses.some((witness) => witness !== null && !contains(witness, store))
  if (isRefusedAnywhere) {
    // a mark of its own: without one the store looks the same after going back once more
    const mark: Mark = { token: -1 - world.acceptances, number: store.counter + 1 }
    const marks = has("acceptance") ? [...store.marks, mark] : store.marks
    const documents = store.documents.map((document) => (document.is === "planned" && has("doubt") ? held : document))
    yield {
      text: "the operator accepts the older copy",
      after: {
        ...world,
        store: { documents, marks, counter: Math.max(store.counter, marks.at(-1)?.number ?? 0), isDoubtful: true },
        witnesses: world.witnesses.map(() => marks.at(-1) ?? null),
        acceptances: world.acceptances + 1
      }
    }
  }

  // ---- the network and the gateway

  for (const [token, { document, is }] of requests.entries()) {
    const what = `the request of ${names[document]} (attempt ${token + 1})`
    if (is === "under way") {
      yield { text: `${what} arrives`, after: setRequest(token, "taken") }
      yield { text: `${what} is lost`, after: setRequest(token, "lost") }
    }
    if (is === "taken") {
      yield { text: `${what} gets a receipt`, after: setRequest(token, "receipt") }
      yield { text: `${what} fails`, after: setRequest(token, "failed") }
    }
  }

  // ---- the store

  if (world.copy === null && bound.returns > 0) yield { text: "the store is copied", after: { ...world, copy: store } }
  if (world.copy !== null && world.returns < bound.returns) {
    // a sequence may be ahead by then, and the copy counts on from there
    for (const counter of new Set([world.copy.counter, store.counter])) {
      const jumped = counter > world.copy.counter ? ", and its counter is ahead" : ""
      yield {
        text: `the store goes back to the copy${jumped}`,
        after: {
          ...world,
          store: { ...world.copy, counter },
          returns: world.returns + 1,
          // every connection was lost
          clients: world.clients.map((client) => (has("renewal") ? { ...client, permission: "to be renewed" } : client))
        }
      }
    }
  }
}

/**
 * Codes that are printed but not defined by us: exit codes, HTTP statuses, operating system errors.
 */
import type { CodeEntry } from "@fiscal-connector/core/unstable/codes/CodeEntry"
import { find } from "@fiscal-connector/core/unstable/codes/CodeEntry"
import { coreCodes } from "@fiscal-connector/core/unstable/codes/KnownCodes"
import { certainlyNotProcessed } from "@fiscal-connector/core/unstable/gateway/contract/CertainlyNotProcessed"

type Text = Pick<CodeEntry, "meaning" | "consequence" | "fix" | "steps">

const exits: Readonly<Record<number, Text>> = {
  0: {
    meaning: "Exit code 0: everything was done",
    consequence: "After an import every document is fiscalised; after a plan no document has a blocker.",
    fix: "No action needed."
  },
  1: {
    meaning: "Exit code 1: wrong usage, wrong configuration, or the gateway cannot be reached",
    consequence: "Nothing was sent.",
    fix: "The text that was printed says what to do. The same command can be run again."
  },
  2: {
    meaning: "Exit code 2: some documents were refused, Declined or Rejected",
    consequence: "The others are fiscalised, or would be after a plan.",
    fix: "Correct the named rows in the source, or in the file of refused rows, and import again."
  },
  3: {
    meaning: "Exit code 3: something is still open: Planned, Held, Sending, Accepted, Unknown or Expired",
    consequence: "It is kept in the store, and nothing of it is sent twice.",
    fix: "See what it is, and go on.",
    steps: [{ do: "health" }, { do: "resume" }]
  },
  4: {
    meaning: "Exit code 4: everything was done, and the result could not be written",
    consequence: "Documents were sent; what was to be printed or written down is lost.",
    fix: "Make room on the disk. The outcome of each document is in the store; nothing is sent again.",
    steps: [{ do: "list" }]
  },
  130: {
    meaning: "Exit code 130: interrupted by Ctrl-C or by the system",
    consequence: "Nothing is half-written; a request that was on its way may have arrived.",
    fix: "Go on where it was.",
    steps: [{ do: "resume" }]
  }
}

/** Reasons from the gateway contract, so that its texts and these never differ. */
const refused = new Map(
  certainlyNotProcessed.flatMap((entry) => (entry.when === "answered" ? [[entry.status, entry.reason]] : []))
)

const ofStatus = (status: number): Text => {
  const entry = find(coreCodes, refused.get(status as never) ?? "UnknownOutcome")!
  const { consequence, fix, steps } = entry
  return { meaning: `Status ${status}: ${statuses[status]!}`, consequence, fix, ...(steps && { steps }) }
}

const statuses: Readonly<Record<number, string>> = {
  400: "the gateway declined what was sent",
  401: "the gateway does not accept the key, the secret, the application or the station",
  403: "the gateway does not allow it to this key",
  404: "nothing is found at this address, or for this account",
  405: "the address does not take the operation",
  408: "the gateway waited too long for the request",
  409: "the gateway reports a conflict",
  411: "the address wants to know the length of the request, as the gateway does not",
  413: "the request is larger than the gateway takes",
  415: "the gateway does not take this form of body",
  422: "the gateway understood what was sent and does not take it",
  429: "the gateway wants fewer requests",
  500: "the gateway failed",
  502: "a proxy did not get an answer of the gateway",
  503: "the gateway does not work at this moment",
  504: "a proxy waited too long for the gateway"
}

const notReached = "A submission is certainly not processed where it says so; it stays Planned and the lane stops."
const cut = "The document that was being sent may have arrived: it becomes Unknown and is not sent again blindly."
const checkAndResume = { steps: [{ do: "doctor" }, { do: "resume" }] } as const
const looked = { steps: [{ do: "health" }, { do: "resume" }] } as const
const trusted = "Have the certificate corrected; name a private authority in NODE_EXTRA_CA_CERTS."

const system: Readonly<Record<string, Text>> = {
  ECONNREFUSED: {
    meaning: "Nothing listens at the address",
    consequence: notReached,
    fix: "Check host and port in baseUrl, and that what should answer there is running.",
    ...checkAndResume
  },
  ENOTFOUND: {
    meaning: "The name of the host is not known",
    consequence: notReached,
    fix: "Check the name in baseUrl, and this machine's network.",
    ...checkAndResume
  },
  EAI_AGAIN: {
    meaning: "The names of hosts cannot be looked up at this moment",
    consequence: notReached,
    fix: "Check this machine's network and its name server.",
    ...checkAndResume
  },
  EHOSTUNREACH: {
    meaning: "The host cannot be reached",
    consequence: notReached,
    fix: "Check this machine's network.",
    ...checkAndResume
  },
  ENETUNREACH: {
    meaning: "This machine has no network that leads there",
    consequence: notReached,
    fix: "Check this machine's network.",
    ...checkAndResume
  },
  ECONNRESET: {
    meaning: "The other side cut the connection",
    consequence: cut,
    fix: "List the open documents, then resume.",
    ...looked
  },
  EPIPE: {
    meaning: "The other side had closed the connection already",
    consequence: cut,
    fix: "List the open documents, then resume.",
    ...looked
  },
  ETIMEDOUT: {
    meaning: "The other side did not answer in time",
    consequence: cut,
    fix: "List the open documents, then resume.",
    ...looked
  },
  UND_ERR_CONNECT_TIMEOUT: {
    meaning: "No connection was made in time",
    consequence: notReached,
    fix: "Check the network, and a firewall between here and the gateway.",
    ...checkAndResume
  },
  UND_ERR_HEADERS_TIMEOUT: {
    meaning: "The request went out, and no answer began in time",
    consequence: cut,
    fix: "List the open documents, then resume.",
    ...looked
  },
  UND_ERR_BODY_TIMEOUT: {
    meaning: "The answer began, and did not come to its end in time",
    consequence: cut,
    fix: "List the open documents, then resume.",
    ...looked
  },
  UND_ERR_SOCKET: {
    meaning: "The connection was cut in the middle of a request",
    consequence: cut,
    fix: "List the open documents, then resume.",
    ...looked
  },
  CERT_HAS_EXPIRED: {
    meaning: "The certificate of the other side has expired",
    consequence: notReached,
    fix: "Check this machine's clock; else have the certificate renewed.",
    ...checkAndResume
  },
  DEPTH_ZERO_SELF_SIGNED_CERT: {
    meaning: "The certificate of the other side is self-signed",
    consequence: notReached,
    fix: trusted,
    ...checkAndResume
  },
  SELF_SIGNED_CERT_IN_CHAIN: {
    meaning: "The certificate leads to an authority that this machine does not trust",
    consequence: notReached,
    fix: trusted,
    ...checkAndResume
  },
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: {
    meaning: "The other side does not show the authority of its certificate",
    consequence: notReached,
    fix: trusted,
    ...checkAndResume
  },
  ERR_TLS_CERT_ALTNAME_INVALID: {
    meaning: "The certificate is of another host",
    consequence: notReached,
    fix: "Check the name in baseUrl.",
    ...checkAndResume
  },
  EADDRINUSE: {
    meaning: "Another program listens on the port already",
    consequence: "The command does not start, or not that part of it.",
    fix: "End the other one, or take another port by --port; 0 takes a free one."
  },
  ENOSPC: {
    meaning: "The disk is full",
    consequence: "A request is sent only after it is stored: without room nothing is sent.",
    fix: "Make room, then go on.",
    ...looked
  },
  EROFS: {
    meaning: "The disk can only be read",
    consequence: "Nothing can be stored there, and without that nothing is sent.",
    fix: "Put the store on a disk that can be written to: `store` of the configuration."
  },
  EACCES: {
    meaning: "The system does not allow this user to read or write the file",
    consequence: "The operation that needs the file is not done.",
    fix: "Give the file to the user who runs the command; stores and secrets are for their owner only."
  },
  EPERM: {
    meaning: "The system does not allow this user to do that with the file",
    consequence: "The operation that needs the file is not done.",
    fix: "Give the file to the user who runs the command; stores and secrets are for their owner only."
  },
  ENOENT: {
    meaning: "There is no such file",
    consequence: "The operation that needs the file is not done.",
    fix: "Check its name. It is relative to the current folder; in a configuration, to the folder of that file."
  },
  EISDIR: {
    meaning: "The path is a folder, and a file is needed",
    consequence: "The operation that needs the file is not done.",
    fix: "Name a file in it."
  },
  EMFILE: {
    meaning: "The system lets this program open no more files",
    consequence: "Operations that need another file or connection fail.",
    fix: "Raise the limit (`ulimit -n`), or run fewer lanes at once."
  },
  SQLITE_BUSY: {
    meaning: "Another program has the store locked for too long",
    consequence: "Nothing was stored; a document that is not stored is not sent.",
    fix: "See what else uses the file, a backup or a virus scanner perhaps; then run the same again."
  },
  SQLITE_READONLY: {
    meaning: "The store can only be read",
    consequence: "Nothing can be stored, and without that nothing is sent.",
    fix: "Check the rights of the file and its folder, and that the disk is not read-only."
  },
  SQLITE_FULL: {
    meaning: "The disk of the store is full",
    consequence: "Nothing can be stored, and without that nothing is sent.",
    fix: "Make room on the disk, then go on.",
    ...looked
  },
  SQLITE_IOERR: {
    meaning: "The disk did not read or write the store's file",
    consequence: "Nothing can be stored, and without that nothing is sent.",
    fix: "Look whether the disk is full, was removed, or fails; keep a copy of the file before anything is repaired.",
    ...looked
  },
  SQLITE_CANTOPEN: {
    meaning: "The store's file, or its folder, cannot be opened",
    consequence: "Nothing is read and nothing is sent.",
    fix: "Check the path and the rights of the folder: its own files are made beside it."
  },
  SQLITE_CORRUPT: {
    meaning: "The store's file is damaged",
    consequence: "Nothing is sent from it.",
    fix: "Put the newest backup in its place, and say which it is: it is an older copy (connector docs store).",
    steps: [{ do: "why", code: "STORE_OLDER" }]
  },
  SQLITE_NOTADB: {
    meaning: "The file is not a store",
    consequence: "It is left as it is, and nothing is sent.",
    fix: "Check the path: `store` of the configuration, or --store."
  }
}

const of = (group: string, texts: ReadonlyArray<readonly [code: string, alias: string | undefined, text: Text]>) =>
  texts.map(([code, alias, text]): CodeEntry => ({ code, ...(alias !== undefined && { alias }), group, ...text }))

export const systemCodes: ReadonlyArray<CodeEntry> = [
  ...of(
    "Exit codes of the command",
    Object.entries(exits).map(([code, text]) => [`EXIT_${code}`, code, text])
  ),
  ...of(
    "Statuses of HTTP",
    Object.keys(statuses).map((status) => [`HTTP_${status}`, status, ofStatus(Number(status))])
  ),
  ...of(
    "Errors of the system",
    Object.entries(system).map(([code, text]) => [code, undefined, text])
  )
]

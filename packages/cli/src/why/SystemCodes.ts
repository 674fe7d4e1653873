/**
 * Codes that are printed but not defined by us: exit codes, HTTP statuses, operating system errors.
 */
import { CodeEntry, KnownCodes } from "@fiscal-connector/core/host/account"
import { CertainlyNotProcessed } from "@fiscal-connector/core/host"

type SystemCodeText = Pick<CodeEntry.CodeEntry, "meaning" | "consequence" | "fix" | "steps">

const exits: Readonly<Record<number, SystemCodeText>> = {
  0: {
    meaning: "Exit code 0: everything was done",
    consequence: "After an import, every document is fiscalised; after a plan, no document has a blocker.",
    fix: "No action needed."
  },
  1: {
    meaning: "Exit code 1: wrong usage, wrong configuration, or the gateway cannot be reached",
    consequence: "Nothing was sent.",
    fix: "Follow the printed text. The same command can be run again."
  },
  2: {
    meaning: "Exit code 2: some documents were refused, Declined or Rejected",
    consequence: "The other documents are fiscalised, or would be after a plan.",
    fix: "Correct the named rows in the source, or in the file of refused rows, and import again."
  },
  3: {
    meaning: "Exit code 3: some documents are still open: Planned, Held, Sending, Accepted, Unknown or Expired",
    consequence: "The documents are in the store, and no document is sent twice.",
    fix: "Look at the open documents, then resume sending.",
    steps: [{ do: "health" }, { do: "resume" }]
  },
  4: {
    meaning: "Exit code 4: all work was done, but the result could not be written",
    consequence: "Documents were sent; the output that was to be printed or written is lost.",
    fix: "Free space on the disk. The outcome of each document is in the store; no document is sent again.",
    steps: [{ do: "list" }]
  },
  130: {
    meaning: "Exit code 130: interrupted by Ctrl-C or by the system",
    consequence: "No file is incomplete; a request that was being sent may have arrived.",
    fix: "Resume sending.",
    steps: [{ do: "resume" }]
  }
}

/** Reasons from the gateway contract, so that its texts and these never differ. */
const refused = new Map(
  CertainlyNotProcessed.certainlyNotProcessed.flatMap((entry) =>
    entry.when === "answered" ? [[entry.status, entry.reason]] : []
  )
)

const ofStatus = (status: number): SystemCodeText => {
  const entry = CodeEntry.find(KnownCodes.coreCodes, refused.get(status as never) ?? "UnknownOutcome")!
  const { consequence, fix, steps } = entry
  return { meaning: `Status ${status}: ${statuses[status]!}`, consequence, fix, ...(steps && { steps }) }
}

const statuses: Readonly<Record<number, string>> = {
  400: "the gateway declined the request",
  401: "the gateway does not accept the key, the secret, the application or the station",
  403: "the gateway does not allow the request for this key, secret, application or station",
  404: "the address does not exist, or the account has no such item",
  405: "the address does not accept the operation",
  408: "the gateway waited too long for the request",
  409: "the gateway reports a conflict",
  411: "the address requires the length of the request, which the gateway does not require",
  413: "the request is larger than the gateway accepts",
  415: "the gateway does not accept this format of the request",
  422: "the gateway read the request and does not accept its content",
  429: "the gateway received too many requests",
  500: "the gateway had an internal error",
  502: "a proxy received no valid answer from the gateway",
  503: "the gateway is not available now",
  504: "a proxy waited too long for the gateway"
}

const notReached = "A document that is still Planned was certainly not processed. Its lane stops and tries again later."
const cut = "The document that was being sent may have arrived: it becomes Unknown and is not sent again automatically."
const checkAndResume = { steps: [{ do: "doctor" }, { do: "resume" }] } as const
const looked = { steps: [{ do: "health" }, { do: "resume" }] } as const
const trusted = "Correct the certificate; if the authority is private, name its certificate in NODE_EXTRA_CA_CERTS."

const system: Readonly<Record<string, SystemCodeText>> = {
  ECONNREFUSED: {
    meaning: "No program accepts connections at the address",
    consequence: notReached,
    fix: "Check host and port in baseUrl, and check that the gateway is running.",
    ...checkAndResume
  },
  ENOTFOUND: {
    meaning: "The host name is not known",
    consequence: notReached,
    fix: "Check the host name in baseUrl, and the network of this machine.",
    ...checkAndResume
  },
  EAI_AGAIN: {
    meaning: "Host names cannot be looked up now",
    consequence: notReached,
    fix: "Check the network of this machine and its name server.",
    ...checkAndResume
  },
  EHOSTUNREACH: {
    meaning: "The host cannot be reached",
    consequence: notReached,
    fix: "Check this machine's network.",
    ...checkAndResume
  },
  ENETUNREACH: {
    meaning: "This machine has no network connection to the host",
    consequence: notReached,
    fix: "Check this machine's network.",
    ...checkAndResume
  },
  ECONNRESET: {
    meaning: "The other side closed the connection",
    consequence: cut,
    fix: "List the open documents, then resume sending.",
    ...looked
  },
  EPIPE: {
    meaning: "The other side had already closed the connection",
    consequence: cut,
    fix: "List the open documents, then resume sending.",
    ...looked
  },
  ETIMEDOUT: {
    meaning: "The other side did not answer in time",
    consequence: cut,
    fix: "List the open documents, then resume sending.",
    ...looked
  },
  UND_ERR_CONNECT_TIMEOUT: {
    meaning: "The connection was not established in time",
    consequence: notReached,
    fix: "Check the network, and a firewall between this machine and the gateway.",
    ...checkAndResume
  },
  UND_ERR_HEADERS_TIMEOUT: {
    meaning: "The request was sent, and no answer began in time",
    consequence: cut,
    fix: "List the open documents, then resume sending.",
    ...looked
  },
  UND_ERR_BODY_TIMEOUT: {
    meaning: "The answer began, but was not complete in time",
    consequence: cut,
    fix: "List the open documents, then resume sending.",
    ...looked
  },
  UND_ERR_SOCKET: {
    meaning: "The connection was closed during a request",
    consequence: cut,
    fix: "List the open documents, then resume sending.",
    ...looked
  },
  CERT_HAS_EXPIRED: {
    meaning: "The certificate of the other side has expired",
    consequence: notReached,
    fix: "Check the clock of this machine; if it is right, ask the other side to renew its certificate.",
    ...checkAndResume
  },
  DEPTH_ZERO_SELF_SIGNED_CERT: {
    meaning: "The certificate of the other side is self-signed",
    consequence: notReached,
    fix: trusted,
    ...checkAndResume
  },
  SELF_SIGNED_CERT_IN_CHAIN: {
    meaning: "The certificate was issued by an authority that this machine does not trust",
    consequence: notReached,
    fix: trusted,
    ...checkAndResume
  },
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: {
    meaning: "The other side does not send the certificate of its authority",
    consequence: notReached,
    fix: trusted,
    ...checkAndResume
  },
  ERR_TLS_CERT_ALTNAME_INVALID: {
    meaning: "The certificate belongs to another host",
    consequence: notReached,
    fix: "Check the host name in baseUrl.",
    ...checkAndResume
  },
  EADDRINUSE: {
    meaning: "Another program already uses the port",
    consequence: "The command, or the part of it that needs the port, does not start.",
    fix: "End the other program, or choose another port by --port; 0 chooses a free port."
  },
  ENOSPC: {
    meaning: "The disk is full",
    consequence: "Nothing is sent, because a request must be stored before it is sent.",
    fix: "Free space on the disk, then resume sending.",
    ...looked
  },
  EROFS: {
    meaning: "The disk is read-only",
    consequence: "Nothing can be stored on the disk, so nothing is sent.",
    fix: "Put the store on a writable disk: `store` of the configuration."
  },
  EACCES: {
    meaning: "The system does not allow this user to read or write the file",
    consequence: "The operation that needs the file is not done.",
    fix: "Give the file to the user who runs the command; stores and secrets are for their owner only."
  },
  EPERM: {
    meaning: "The system does not allow this user to do the operation on the file",
    consequence: "The operation that needs the file is not done.",
    fix: "Give the file to the user who runs the command; stores and secrets are for their owner only."
  },
  ENOENT: {
    meaning: "The file does not exist",
    consequence: "The operation that needs the file is not done.",
    fix: "Check the name of the file. It is relative to the current folder; in a configuration, it is relative to the folder of the configuration."
  },
  EISDIR: {
    meaning: "The path is a folder, but a file is required",
    consequence: "The operation that needs the file is not done.",
    fix: "Name a file in the folder."
  },
  EMFILE: {
    meaning: "The system does not let this program open more files",
    consequence: "Operations that need another file or connection fail.",
    fix: "Raise the limit (`ulimit -n`), or run fewer lanes at once."
  },
  SQLITE_BUSY: {
    meaning: "Another program locks the store for too long",
    consequence: "Nothing was stored; a document that is not stored is not sent.",
    fix: "Find the other program that uses the file, perhaps a backup or a virus scanner. Then run the command again."
  },
  SQLITE_READONLY: {
    meaning: "The store is read-only",
    consequence: "Nothing can be stored, so nothing is sent.",
    fix: "Check the permissions of the file and its folder, and check that the disk is not read-only."
  },
  SQLITE_FULL: {
    meaning: "The disk of the store is full",
    consequence: "Nothing can be stored, so nothing is sent.",
    fix: "Free space on the disk, then resume sending.",
    ...looked
  },
  SQLITE_IOERR: {
    meaning: "The disk failed to read or write the file of the store",
    consequence: "Nothing can be stored, so nothing is sent.",
    fix: "Check whether the disk is full, was removed, or fails. Keep a copy of the file before any repair.",
    ...looked
  },
  SQLITE_CANTOPEN: {
    meaning: "The file of the store, or its folder, cannot be opened",
    consequence: "Nothing is read and nothing is sent.",
    fix: "Check the path and the permissions of the folder: the store creates more files in it."
  },
  SQLITE_CORRUPT: {
    meaning: "The file of the store is damaged",
    consequence: "Nothing is sent from the store.",
    fix: "Restore the newest backup and state which backup it is, because it is an older copy (connector docs run#older-copy).",
    steps: [{ do: "why", code: "STORE_OLDER" }]
  },
  SQLITE_NOTADB: {
    meaning: "The file is not a store",
    consequence: "The file is not changed, and nothing is sent.",
    fix: "Check the path: `store` of the configuration, or --store."
  }
}

const of = (
  group: string,
  texts: ReadonlyArray<readonly [code: string, alias: string | undefined, text: SystemCodeText]>
) =>
  texts.map(([code, alias, text]): CodeEntry.CodeEntry => ({
    code,
    ...(alias !== undefined && { alias }),
    group,
    ...text
  }))

export const systemCodes: ReadonlyArray<CodeEntry.CodeEntry> = [
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

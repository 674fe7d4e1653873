/** Findings about sending for an account: errors that block sending, and warnings. */
import { catalogue } from "../finding/FindingCode.ts"
import { docsPage } from "../finding/DocsPage.ts"

const unsent = "Nothing is sent for the account."

export const AccountFinding = catalogue({
  CONFIG_WRITABLE: {
    severity: "warning",
    meaning: "Other users may change a file that decides about sending, or the address that gets the key",
    consequence:
      "Another user could name another gateway, book or store. A live device is not sent to while every user may.",
    fix: "Let only its owner write it: chmod go-w."
  },
  LIVE_EXPOSED: {
    severity: "error",
    meaning: "Every user of this machine may change what decides about a live device",
    consequence: "Another user could have changed the documents or their destination. Nothing was sent.",
    fix: "Look at the files shown, then let only their owner write them: chmod o-w."
  },
  CONFIG_ORIGIN_CHANGED: {
    severity: "error",
    meaning: "The account's key belongs to another gateway",
    consequence: "The key would be sent to a host that never had it. Nothing is sent for the account.",
    fix: "Correct baseUrl. If the gateway really moved, trust its new address with the key.",
    steps: [{ do: "trust-origin" }]
  },
  GATEWAY_UNREACHED: {
    severity: "error",
    meaning: "The gateway does not answer",
    consequence: "Nothing can be sent for the account. What was sent before is not lost.",
    fix: "Check that this machine is online, and that a proxy or firewall lets it through. Then try again.",
    steps: [{ do: "doctor" }]
  },
  GATEWAY_NAME_UNKNOWN: {
    severity: "error",
    meaning: "The name in baseUrl is not known to the network",
    consequence: "Nothing can be sent for the account.",
    fix: "Check the spelling of baseUrl in the configuration, and that this machine is online.",
    steps: [{ do: "doctor" }]
  },
  GATEWAY_REFUSES_CONNECTION: {
    severity: "error",
    meaning: "The machine of the gateway refuses the connection",
    consequence: "Nothing can be sent for the account.",
    fix: "Check the port in baseUrl. If it is right, the gateway is not running: ask its operator, then try again.",
    steps: [{ do: "doctor" }]
  },
  NOT_A_GATEWAY: {
    severity: "error",
    meaning: "A server that is not the gateway answers at baseUrl",
    consequence: "Nothing can be sent for the account.",
    fix: "Compare baseUrl and paths with the gateway's documentation, its path prefix included. A sign-in page of a network answers so, too.",
    steps: [{ do: "doctor" }]
  },
  GATEWAY_REDIRECTS: {
    severity: "error",
    meaning: "The gateway sends the request to another address",
    consequence:
      "Nothing can be sent for the account. A redirect is not followed: the key would be sent to an address that is not in the configuration.",
    fix: "Write the new address into baseUrl, if the gateway's operator confirms it.",
    steps: [{ do: "doctor" }]
  },
  GATEWAY_SPEAKS_HTTP: {
    severity: "error",
    meaning: "The address in baseUrl is https, and the server answers in plain HTTP",
    consequence: "Nothing can be sent for the account.",
    fix: "Check the port in baseUrl. Plain http is for a sandbox on this machine only (AUTH-7).",
    steps: [{ do: "doctor" }]
  },
  CERTIFICATE_EXPIRED: {
    severity: "error",
    meaning: "The certificate of the gateway has expired",
    consequence:
      "Nothing can be sent for the account. The certificate is the gateway's: nothing on this machine can renew it.",
    fix: "Check the date of this machine. If it is right, ask the gateway's operator to renew the certificate, then try again.",
    steps: [{ do: "doctor" }]
  },
  CERTIFICATE_UNTRUSTED: {
    severity: "error",
    meaning: "The certificate of the gateway is not trusted here",
    consequence: "Nothing can be sent for the account: another server may answer in place of the gateway.",
    fix: "Check the name in baseUrl. For a private authority, write its certificate (PEM) into a file, and name the file in the environment variable NODE_EXTRA_CA_CERTS. A program of your own may pass the certificate as `ca`.",
    steps: [{ do: "doctor" }]
  },
  GATEWAY_DOWN: {
    severity: "error",
    meaning: "The gateway, or a proxy in front of it, reports an internal failure (5xx)",
    consequence: "Nothing can be sent for the account now.",
    fix: "Wait some minutes and try again. If it stays, ask the gateway's operator.",
    steps: [{ do: "doctor" }]
  },
  GATEWAY_BUSY: {
    severity: "error",
    meaning: "The gateway wants fewer requests (429)",
    consequence: "Nothing is sent for the account until the gateway takes requests again.",
    fix: "Wait some minutes and try again, or set pace of the account in the configuration."
  },
  ANSWER_MALFORMED: {
    severity: "error",
    meaning:
      "An answer of the gateway lacks a field that decides whether anything may be sent, or has it in another form",
    consequence: "Nothing is sent for the account: a guard that cannot be evaluated refuses.",
    fix: `Tell the gateway's operator which field of which operation it is. What each field decides is in ${docsPage("gateway.md#answers")}.`
  },
  ANSWER_MISFIT: {
    severity: "warning",
    meaning: "An answer of the gateway has a field of another form than documented",
    consequence: "The field is read as empty, or its row is left out. Only documents that need the field are refused.",
    fix: "No action needed. If it stays, tell the gateway's operator which field it is."
  },
  KEY_REFUSED: {
    severity: "error",
    meaning: "The gateway does not accept the key, the application or the station",
    consequence: "Nothing can be sent for the account.",
    fix: "Compare them with the gateway's portal; the station never changes once it is set (AUTH-4)."
  },
  SECRET_REFUSED: {
    severity: "error",
    meaning: "The key is accepted and a signed call is not: the secret is wrong, or its form",
    consequence: "Nothing can be sent for the account.",
    fix: "Put the secret of this key into its file; where it still fails, try the assumption AUTH-2 with base64."
  },
  SECRET_UNPROVEN: {
    severity: "warning",
    meaning: "Nothing shows whether the gateway accepts the secret: the signed call that proves it had no answer",
    consequence: "A wrong secret is noticed only when the first document is sent; that document is then not processed.",
    fix: "No action needed if documents are accepted. Else compare the secret with the gateway's portal.",
    steps: [{ do: "doctor" }]
  },
  DEVICE_MISSING: {
    severity: "error",
    meaning: "No device is attached to the account",
    consequence: "Nothing can be sent for the account.",
    fix: "Attach one in the gateway's portal."
  },
  DEVICE_CHANGED: {
    severity: "error",
    meaning: "The gateway names another device than the account has fed so far",
    consequence: `${unsent} Numbers and receipt dates belong to a device and its taxpayer; the lane of the former device stays stopped.`,
    fix: "Put the former device back. Where it was really replaced, an operator moves the account to the new one, with the reason.",
    steps: [{ do: "doctor" }, { do: "repin" }]
  },
  LIVE_NOT_ALLOWED: {
    severity: "error",
    meaning: "The device is live, and this run does not confirm that this is intended",
    consequence: `${unsent} Every document sent to a live device is fiscalised and taxed.`,
    fix: "If it is intended, confirm it for this run."
  },
  FIRST_USE: {
    severity: "error",
    meaning: "This store has never sent to the live device",
    consequence: `${unsent} Another store may already have sent the same documents: it would be the only one that knows, and they would be fiscalised twice.`,
    fix: "If no other store was ever used for the device, confirm the first use with the code shown; it is good for this device and this store alone. Else use the store that was."
  },
  STORE_OLDER: {
    severity: "error",
    meaning: "The store is an older copy: it has fewer attempts than its last run recorded",
    consequence: `${unsent} What was sent after the copy was made is not in it, and would be fiscalised twice.`,
    fix: "Put the newest copy in its place. If there is no newer copy, an operator accepts this copy, with a reason: every planned document is then held for a decision.",
    steps: [{ do: "accept-older" }]
  },
  STORE_UNPROVEN: {
    severity: "error",
    meaning:
      "The store's database is another one than before, and nothing here tells whether it has everything that was sent",
    consequence: `${unsent} After a failover or a restore, what was sent last may be missing, and would be fiscalised twice.`,
    fix: "Start a worker on a machine that has sent documents: its file beside the configuration proves that the store is complete. If there is no such machine, compare with the gateway, then accept the store, with a reason.",
    steps: [{ do: "accept-older" }]
  },
  STORE_PLACE_UNREAD: {
    severity: "warning",
    meaning: "The store's user may not ask its database which server it is",
    consequence: "A restored or different server is recognized only by the attempts that it does not have.",
    fix: "Nothing, or: grant execute on function pg_control_system(), pg_current_wal_lsn(), pg_walfile_name(pg_lsn) to the user."
  },
  STORE_NOT_DURABLE: {
    severity: "error",
    meaning: "The database of the store may lose what it has committed",
    consequence: `${unsent} After a power cut the store could have forgotten what was sent to the live device, and it would be fiscalised twice.`,
    fix: "Set fsync, full_page_writes and synchronous_commit of the database, its role and its connections to on."
  },
  STORE_NEW: {
    severity: "warning",
    meaning: "This store has never sent to the device",
    consequence: "It does not know what another store may have sent.",
    fix: "No action needed if this is the first store of the device. Otherwise use the store that was used before."
  },
  STORE_UNWITNESSED: {
    severity: "warning",
    meaning: "The progress of the store could not be recorded beside the configuration",
    consequence: "If the store is replaced by an older copy, this is not noticed.",
    fix: "Let the folder of the configuration be written to, or keep the store's backups apart."
  },
  CLOCK_WRONG: {
    severity: "error",
    meaning: "This machine's clock differs from the gateway's by more than is allowed",
    consequence:
      "Receipt dates would be wrong: one in the future is marked (RCPT031) and every later receipt is refused until then (RCPT030).",
    fix: "Set the clock, and let it be kept by a time service."
  },
  CLOCK_UNKNOWN: {
    severity: "warning",
    meaning: "No answer of the gateway tells its time",
    consequence: "This machine's clock was not checked.",
    fix: "Let the clock be kept by a time service; something between may take the Date header away, or answer from a cache."
  },
  LAST_CLOSE_UNKNOWN: {
    severity: "warning",
    meaning: "The last close of the fiscal day is not known",
    consequence: "Only our own receipts tell which dates are too early (RCPT014, RCPT030).",
    fix: "Look at the device's last fiscal day in the gateway's portal, if older documents are sent."
  }
})

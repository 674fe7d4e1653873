import { catalogue } from "../finding/FindingCode.ts"
import { docsPage } from "../finding/DocsPage.ts"

const unsent = "Nothing is sent for the account."

export const AccountFinding = catalogue({
  CONFIG_WRITABLE: {
    severity: "warning",
    meaning: "Other users may change a file that decides about sending, or the address that receives the key",
    consequence:
      "Another user could name another gateway, mapping book or store. If every user may change the file, nothing is sent to a live device.",
    fix: "Let only the owner of the file write it: chmod go-w."
  },
  LIVE_EXPOSED: {
    severity: "error",
    meaning: "Every user of this machine may change a file that decides about sending to a live device",
    consequence: "Nothing was sent, because another user could have changed the documents or their destination.",
    fix: "Check the files that are shown, then let only their owner write them: chmod o-w."
  },
  CONFIG_ORIGIN_CHANGED: {
    severity: "error",
    meaning: "The account's key belongs to another gateway",
    consequence: "Nothing is sent for the account, because the key would be sent to an unknown host.",
    fix: "Correct baseUrl. If the gateway has moved, allow its new address for the key.",
    steps: [{ do: "trust-origin" }]
  },
  GATEWAY_UNREACHED: {
    severity: "error",
    meaning: "The gateway does not answer",
    consequence: "Nothing can be sent for the account. Documents that were sent before are not lost.",
    fix: "Check that this machine is online, and that the proxy or firewall allows the connection. Then try again.",
    steps: [{ do: "doctor" }]
  },
  GATEWAY_NAME_UNKNOWN: {
    severity: "error",
    meaning: "The network does not know the host name in baseUrl",
    consequence: "Nothing can be sent for the account.",
    fix: "Check the spelling of baseUrl in the configuration, and that this machine is online.",
    steps: [{ do: "doctor" }]
  },
  GATEWAY_REFUSES_CONNECTION: {
    severity: "error",
    meaning: "The gateway's machine refuses the connection",
    consequence: "Nothing can be sent for the account.",
    fix: "Check the port in baseUrl. If it is right, the gateway is not running: ask its operator, then try again.",
    steps: [{ do: "doctor" }]
  },
  NOT_A_GATEWAY: {
    severity: "error",
    meaning: "The server at baseUrl is not the gateway",
    consequence: "Nothing can be sent for the account.",
    fix: "Compare baseUrl (with its path prefix) and paths with the gateway's documentation. The sign-in page of a network can also be the cause.",
    steps: [{ do: "doctor" }]
  },
  GATEWAY_REDIRECTS: {
    severity: "error",
    meaning: "The gateway redirects the request to another address",
    consequence:
      "Nothing can be sent for the account. The redirect is not followed, because the key would be sent to an address that is not in the configuration.",
    fix: "If the gateway's operator confirms the new address, write it into baseUrl.",
    steps: [{ do: "doctor" }]
  },
  GATEWAY_SPEAKS_HTTP: {
    severity: "error",
    meaning: "The address in baseUrl is https, and the server answers in plain HTTP",
    consequence: "Nothing can be sent for the account.",
    fix: "Check the port in baseUrl. Plain HTTP is allowed only for a sandbox on this machine (AUTH-7).",
    steps: [{ do: "doctor" }]
  },
  CERTIFICATE_EXPIRED: {
    severity: "error",
    meaning: "The certificate of the gateway has expired",
    consequence: "Nothing can be sent for the account. The certificate cannot be renewed on this machine.",
    fix: "Check the date of this machine. If it is right, ask the gateway's operator to renew the certificate, then try again.",
    steps: [{ do: "doctor" }]
  },
  CERTIFICATE_UNTRUSTED: {
    severity: "error",
    meaning: "This machine does not trust the certificate of the gateway",
    consequence: "Nothing can be sent for the account, because another server may answer in place of the gateway.",
    fix: "Check the name in baseUrl. For a private authority, write its certificate (PEM) into a file, and name the file in the environment variable NODE_EXTRA_CA_CERTS. Your own program may pass the certificate as `ca`.",
    steps: [{ do: "doctor" }]
  },
  GATEWAY_DOWN: {
    severity: "error",
    meaning: "The gateway, or a proxy in front of it, reports an internal failure (5xx)",
    consequence: "Nothing can be sent for the account now.",
    fix: "Wait some minutes and try again. If the failure stays, ask the gateway's operator.",
    steps: [{ do: "doctor" }]
  },
  GATEWAY_BUSY: {
    severity: "error",
    meaning: "The gateway received too many requests (429)",
    consequence: "Nothing is sent for the account until the gateway accepts requests again.",
    fix: "Wait some minutes and try again, or set `pace` of the account in the configuration."
  },
  ANSWER_MALFORMED: {
    severity: "error",
    meaning: "An answer of the gateway lacks a field that decides about sending, or the field has the wrong form",
    consequence: "Nothing is sent for the account, because a check cannot be made.",
    fix: `Report the field and its operation to the gateway's operator. ${docsPage("gateway.md#answers")} describes the effect of each field.`
  },
  ANSWER_MISFIT: {
    severity: "warning",
    meaning: "A field in an answer of the gateway does not have the documented form",
    consequence: "The field is read as empty, or its row is left out. Only documents that need the field are refused.",
    fix: "No action needed. If the problem stays, report the field to the gateway's operator."
  },
  KEY_REFUSED: {
    severity: "error",
    meaning: "The gateway does not accept the key, the application or the station",
    consequence: "Nothing can be sent for the account.",
    fix: "Compare the key, the application and the station with the gateway's portal. A station must never change after it was set (AUTH-4)."
  },
  SECRET_REFUSED: {
    severity: "error",
    meaning: "The gateway accepts the key and refuses a signed request: the secret or its form is wrong",
    consequence: "Nothing can be sent for the account.",
    fix: "Write the secret of this key into its file. If the request still fails, set the assumption AUTH-2 to base64."
  },
  SECRET_UNPROVEN: {
    severity: "warning",
    meaning: "It is not known whether the gateway accepts the secret, because the signed test request had no answer",
    consequence:
      "A wrong secret is detected only when the first document is sent; that document is then not processed.",
    fix: "If documents are accepted, no action is needed. Otherwise compare the secret with the gateway's portal.",
    steps: [{ do: "doctor" }]
  },
  DEVICE_MISSING: {
    severity: "error",
    meaning: "No device is attached to the account",
    consequence: "Nothing can be sent for the account.",
    fix: "Attach a device in the gateway's portal."
  },
  DEVICE_CHANGED: {
    severity: "error",
    meaning: "The gateway names another device than the account has used so far",
    consequence: `${unsent} Numbers and receipt dates belong to one device and its taxpayer; the lane of the former device stays stopped.`,
    fix: "Attach the former device again. If it was replaced, the operator moves the account to the new device, with the reason.",
    steps: [{ do: "doctor" }, { do: "repin" }]
  },
  LIVE_NOT_ALLOWED: {
    severity: "error",
    meaning: "The device is live, and sending to a live device was not confirmed for this run",
    consequence: `${unsent} Every document sent to a live device is fiscalised and taxed.`,
    fix: "If you intend to send to the live device, confirm it for this run."
  },
  FIRST_USE: {
    severity: "error",
    meaning: "This store has never sent to the live device",
    consequence: `${unsent} If another store was used for the device, its documents are not known here and would be fiscalised twice.`,
    fix: "If no other store was ever used for the device, confirm the first use with the code that is shown; the code is valid only for this device and this store, until the store is accepted as an older copy. Otherwise use the earlier store."
  },
  STORE_OLDER: {
    severity: "error",
    meaning: "This store is an older copy",
    consequence: `${unsent} Documents that were sent after the copy was made are missing in it, and would be fiscalised twice.`,
    fix: "Restore the newest copy of the store. If there is no newer copy, the operator accepts this copy, with a reason: every planned document is then held for a decision.",
    steps: [{ do: "accept-older" }]
  },
  STORE_UNPROVEN: {
    severity: "error",
    meaning:
      "This store may be an older copy: it has another database than before, and it is not proven that the database contains everything that was sent",
    consequence: `${unsent} After a failover or a restore, the last documents may be missing in the store, and would be fiscalised twice.`,
    fix: "Start a worker on a machine that has sent documents: a file beside its configuration proves that the store is complete. If there is no such machine, compare the store with the gateway, then accept the store, with a reason.",
    steps: [{ do: "accept-older" }]
  },
  STORE_BEHIND: {
    severity: "error",
    meaning: "This store may be an older copy: the device has receipts that are not in it",
    consequence: `${unsent} If the store was restored, documents that were sent after the copy was made would be fiscalised twice.`,
    fix: "If another till or program makes receipts on the device, state it once. Otherwise restore the newest copy of the store. If there is no newer copy, accept this one, with a reason: every planned document is then held for a decision.",
    steps: [{ do: "other-programs", stated: "others" }, { do: "accept-older" }]
  },
  STORE_PLACE_UNREAD: {
    severity: "warning",
    meaning: "The database user of the store may not read the identity of the database server",
    consequence: "A restored or different server is recognized only by sent requests that are missing in it.",
    fix: "No action needed. To enable the check, grant execute on function pg_control_system(), pg_current_wal_lsn(), pg_walfile_name(pg_lsn) to the user."
  },
  STORE_NOT_DURABLE: {
    severity: "error",
    meaning: "The database of the store may lose committed data",
    consequence: `${unsent} After a power failure the store could have lost the record of a sent document, and the document would be fiscalised twice.`,
    fix: "Set fsync, full_page_writes and synchronous_commit to on, for the database, its role and its connections."
  },
  STORE_NEW: {
    severity: "warning",
    meaning: "This store has never sent to the device",
    consequence: "The store does not know documents that another store may have sent.",
    fix: "If this is the first store of the device, no action is needed. Otherwise use the earlier store."
  },
  STORE_UNWITNESSED: {
    severity: "warning",
    meaning: "The progress of the store could not be recorded in the folder of the configuration",
    consequence: "It would not be detected that the store was replaced by an older copy.",
    fix: "Let this user write in the folder of the configuration, or keep the backups of the store in a separate place."
  },
  CLOCK_WRONG: {
    severity: "error",
    meaning: "The clock of this machine differs from the gateway's clock by more than is allowed",
    consequence:
      "Receipt dates would be wrong: a receipt in the future is marked (RCPT031), and every other receipt until that date is refused (RCPT030).",
    fix: "Set the clock, and use a time service."
  },
  CLOCK_UNKNOWN: {
    severity: "warning",
    meaning: "No answer of the gateway contains its time",
    consequence: "The clock of this machine was not checked.",
    fix: "Use a time service for the clock. A proxy may remove the Date header, or answer from a cache."
  },
  LAST_CLOSE_UNKNOWN: {
    severity: "warning",
    meaning: "The time of the last close of the fiscal day is not known",
    consequence: "Only the receipts of this store show which dates are too early (RCPT014, RCPT030).",
    fix: "If older documents are to be sent, look up the device's last fiscal day in the gateway's portal."
  }
})

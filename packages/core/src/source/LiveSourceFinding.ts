import { catalogue } from "../finding/FindingCode.ts"

const nothingTaken = "No document was taken from the source; the next run begins where this run began."

export const LiveSourceFinding = catalogue({
  SOURCE_LOGIN_ENDED: {
    severity: "error",
    meaning: "The source no longer accepts the stored login",
    consequence: `${nothingTaken} No run of the source succeeds until the operator logs in again.`,
    fix: "Log in to the source again. The next run continues after the last successful run."
  },
  SOURCE_LIMITED: {
    severity: "error",
    meaning: "The source received too many requests (429)",
    consequence: `${nothingTaken} The source is not asked before the time that it named.`,
    fix: "Wait until the time that is shown. If this happens often, run the source less often, or check which other programs use its limit."
  },
  SOURCE_UNREACHED: {
    severity: "error",
    meaning: "The source did not answer",
    consequence: nothingTaken,
    fix: "Check the network and the address of the source. The next run tries again."
  },
  SOURCE_CERTIFICATE: {
    severity: "error",
    meaning: "The certificate of the source has expired, or is not trusted",
    consequence: nothingTaken,
    fix: "Check the date of this machine and the address of the source. If both are right, the source must renew its certificate."
  },
  SOURCE_ANSWER_UNREADABLE: {
    severity: "error",
    meaning: "The answer of the source does not have the form of its interface",
    consequence: nothingTaken,
    fix: "Check the address of the source. The next run tries again; if the error stays, report it."
  },
  SOURCE_REFUSED: {
    severity: "error",
    meaning: "The source refused the request",
    consequence: nothingTaken,
    fix: "Check the tenant, and check that the login may read invoices, credit notes and contacts."
  },
  SOURCE_OTHER_TENANT: {
    severity: "error",
    meaning: "The data of the source belong to another tenant than the configured one",
    consequence: `${nothingTaken} Otherwise invoices of another company would be fiscalised.`,
    fix: "Check `tenant` of the source in the configuration, and check the company of the login. If both are right, and the named documents were deleted in the source, forget what was read of it: its next run is a plan, and no document is sent twice."
  },
  SOURCE_ACCOUNT_CHANGED: {
    severity: "error",
    meaning: "Documents of the source were already sent for another account",
    consequence: `${nothingTaken} Otherwise a document could be fiscalised for both accounts.`,
    fix: "Put the former account back into `account` of the source. If the new account is intended, give the source another name, and a goLive after the last document that was sent; then forget what was read under the former name."
  },
  SOURCE_CLOCK: {
    severity: "error",
    meaning: "The clock of the source and the clock of this machine differ",
    consequence: `${nothingTaken} Otherwise changes could be missed when a fast clock of the source is corrected.`,
    fix: "Set the clock of this machine. If it is right, wait until the clock of the source is right."
  },
  SOURCE_TOKEN_UNUSABLE: {
    severity: "error",
    meaning: "The token file of the source cannot be used",
    consequence: nothingTaken,
    fix: "Let this user write the file and its folder. If the file is damaged, log in to the source again."
  },
  SOURCE_WOULD_BECOME_LATE: {
    severity: "error",
    meaning: "Refused documents of the source would become late if the other documents were sent",
    consequence: nothingTaken,
    fix: "Correct the named documents in the source or in the mapping book. If `late` of the source is stop, send-rest sends the other documents."
  },
  SOURCE_NOT_PLANNED: {
    severity: "error",
    meaning: "Documents of the source could not be planned",
    consequence: nothingTaken,
    fix: "Read the reason that is shown: the gateway may lack a mapping that the documents need."
  },
  SOURCE_DOCUMENT_UNREAD: {
    severity: "error",
    meaning: "The source has a document, and the adapter returned no result for it",
    consequence: "The document is not sent; every run asks for it again.",
    fix: "Look at the document in the source, and report the error to the author of the adapter."
  }
})

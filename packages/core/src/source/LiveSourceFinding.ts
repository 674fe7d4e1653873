/** Findings that stop a run of a live source, and faults of its documents. */
import { catalogue } from "../finding/FindingCode.ts"

const nothingTaken = "Nothing was taken. The next run begins where this one began."

export const LiveSourceFinding = catalogue({
  SOURCE_LOGIN_ENDED: {
    severity: "error",
    meaning: "The source does not accept the stored login any more",
    consequence: `${nothingTaken} No run of the source succeeds until someone logs in again.`,
    fix: "Log in to the source again. The next run continues after the last successful one."
  },
  SOURCE_LIMITED: {
    severity: "error",
    meaning: "The source wants fewer requests (429)",
    consequence: `${nothingTaken} The source is not asked before the time that it stated.`,
    fix: "Wait for the time shown. If it happens often, ask less often, or see what else uses the source's limit."
  },
  SOURCE_UNREACHED: {
    severity: "error",
    meaning: "The source did not answer",
    consequence: nothingTaken,
    fix: "Check the network and the source's address. The next run tries again."
  },
  SOURCE_CERTIFICATE: {
    severity: "error",
    meaning: "The certificate of the source has expired, or is not trusted",
    consequence: nothingTaken,
    fix: "Check the date of this machine, and that the address is the source's. If both are right, the source has to renew its certificate."
  },
  SOURCE_ANSWER_UNREADABLE: {
    severity: "error",
    meaning: "The source answered something else than its interface states",
    consequence: nothingTaken,
    fix: "Check the address of the source. The next run tries again; if the error stays, report it."
  },
  SOURCE_REFUSED: {
    severity: "error",
    meaning: "The source refused the request",
    consequence: nothingTaken,
    fix: "Check the tenant, and that the login may read invoices, credit notes and contacts."
  },
  SOURCE_OTHER_TENANT: {
    severity: "error",
    meaning: "The source's data are not those of the configured tenant",
    consequence: `${nothingTaken} Invoices of another company would be fiscalised.`,
    fix: "Check `tenant` of the source in the configuration, and which company the login is for."
  },
  SOURCE_ACCOUNT_CHANGED: {
    severity: "error",
    meaning: "Documents of the source were sent for another account before",
    consequence: `${nothingTaken} A document could be fiscalised for both accounts.`,
    fix: "Put the former account back into `account` of the source. If the documents are meant for another account from now on, give the source another name, and a goLive after the last document that was sent."
  },
  SOURCE_CLOCK: {
    severity: "error",
    meaning: "The clock of the source and the clock of this machine differ",
    consequence: `${nothingTaken} If the source's clock was ahead and is set right, changes would be missed.`,
    fix: "Set the clock of this machine. If it is right, wait until the source's is."
  },
  SOURCE_TOKEN_UNUSABLE: {
    severity: "error",
    meaning: "The token file of the source cannot be used",
    consequence: nothingTaken,
    fix: "Let this user write the file and its folder. If the file is damaged, log in at the source again."
  },
  SOURCE_WOULD_BECOME_LATE: {
    severity: "error",
    meaning: "Documents of the source that are refused would become late if the others were sent",
    consequence: nothingTaken,
    fix: "Correct the named documents in the source or in the mapping book. Or set `late` of the source to send-rest: the others are sent, and late documents are held."
  },
  SOURCE_NOT_PLANNED: {
    severity: "error",
    meaning: "Documents of the source could not be planned",
    consequence: nothingTaken,
    fix: "Read the shown reason: the gateway may lack a mapping that the documents need."
  },
  SOURCE_DOCUMENT_UNREAD: {
    severity: "error",
    meaning: "The source has a document of which the adapter reported nothing",
    consequence: "Nothing of it is sent. It is asked for again in every run.",
    fix: "Look at the document in the source, and report it: this is a mistake of the adapter."
  }
})

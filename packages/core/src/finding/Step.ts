import type { Answer } from "./Answer.ts"

export interface StepSelection {
  readonly state: string
  readonly cause?: string
  readonly conflict?: string
  /** Text that the gateway says of the documents, for Accepted documents. */
  readonly text?: string
}

export type Step =
  | { readonly do: "doctor" }
  /**
   * Continues with planned documents and asks for awaited outcomes. `live`: a live device is
   * intended.
   */
  | { readonly do: "resume"; readonly live?: "allowed" }
  /** Reads the source live and sends new documents. */
  | { readonly do: "sync"; readonly source: string }
  /** Logs in at the source again. */
  | { readonly do: "source-login"; readonly source: string }
  /** Forgets what was read of the source: its next run is a first plan. */
  | { readonly do: "forget-source"; readonly source: string }
  /** Reports if a problem needs attention. */
  | { readonly do: "health" }
  /** Lists the documents of the store, of one state or all. */
  | { readonly do: "list"; readonly state?: string }
  /** Lists the imports of the store, with the way to end each. */
  | { readonly do: "imports" }
  /** Ends an import: documents not yet handed over are never sent. */
  | { readonly do: "cancel-import"; readonly id: number }
  /** Dismisses the refused documents of a cause: they need no further attention while unchanged. */
  | { readonly do: "dismiss"; readonly cause: string }
  /** Compares source, store and gateway in a period of days. */
  | { readonly do: "reconcile"; readonly from: string; readonly to: string }
  /** Compares the counters of a fiscal day with the store. */
  | { readonly do: "compare-day"; readonly day: number }
  /** States if other tills or programs use the device. */
  | { readonly do: "other-programs"; readonly stated: "others" | "alone" }
  /** Records that the problem with the fiscal day was reviewed. */
  | { readonly do: "acknowledge-day"; readonly day: number }
  /** Shows the full history of the document. */
  | { readonly do: "explain" }
  /**
   * Records the document's outcome, or decides what to do next. `of`: applies to all selected
   * documents, after a preview.
   */
  | {
      readonly do: "resolve"
      readonly as: "fiscalised" | "not-processed" | "resend" | "rejected" | "acknowledged" | "same"
      readonly of?: StepSelection
      readonly code?: "given"
    }
  /** Records the request id under which the gateway has the document. */
  | { readonly do: "resolve"; readonly as: "accepted"; readonly of?: undefined }
  /**
   * Shows the credit note that is prepared for the invoice, and the way to send it. `receipt`: for
   * one of several receipts; `seen`: the operator has seen it in the gateway's portal; `number`:
   * the operator numbers the note; `amount`: everything that is left.
   */
  | {
      readonly do: "credit"
      readonly receipt?: string
      readonly seen?: "portal"
      readonly number?: "given"
      readonly amount?: "everything"
    }
  /** States which receipt of the invoice the gateway's portal shows as credited. */
  | { readonly do: "credit"; readonly credited: string }
  /** Withdraws a document, `document` by its number, or all selected documents: never sent. */
  | { readonly do: "withdraw"; readonly of?: StepSelection; readonly document?: string }
  /** Accepts a restored backup as the live store. */
  | { readonly do: "accept-older" }
  /**
   * Sends without the check that needs a fact not stated by the gateway. Without `fact`, one of
   * several facts is missing.
   */
  | { readonly do: "accept-unknown"; readonly fact?: string }
  /** Moves the account to the current device. */
  | { readonly do: "repin" }
  /** Trusts another gateway with the key of the account. */
  | { readonly do: "trust-origin" }
  /** Explains a code. */
  | { readonly do: "why"; readonly code: string }
  /**
   * Compares the mapping book with the gateway; `delete` also plans to delete mappings that the
   * book does not name.
   */
  | { readonly do: "compare-mappings"; readonly extras?: "delete" }
  /** Adds the gateway's mappings to the book. */
  | { readonly do: "pull-mappings" }
  /**
   * Lists the gateway's tax or currency mappings with their ids; `delete-mapping` deletes one of
   * them by id.
   */
  | { readonly do: "list-mappings"; readonly of: "tax" | "currency" }
  | { readonly do: "delete-mapping"; readonly of: "tax" | "currency"; readonly id: number }
  /** Shows the account's device with its taxes, or the currencies that the device knows. */
  | { readonly do: "show-device" }
  | { readonly do: "show-currencies" }
  /** Imports the same export again: after a correction, or with an additional option or answer. */
  | { readonly do: "import-again" }
  | { readonly do: "import-again"; readonly timing: "historical" }
  | { readonly do: "import-again"; readonly answer: Answer }
  /** Copies the store in its current state. */
  | { readonly do: "back-up" }

/** A next step that the connector itself can do, in no program's words: the command writes it as a call, a page as a button. */
import type { Answer } from "./Answer.ts"

/** Stored documents that are decided about together. */
export interface Selection {
  readonly state: string
  /** Of Held documents: why they are held. */
  readonly cause?: string
}

export type Step =
  /** Look at everything that an account needs before it can send. */
  | { readonly do: "doctor" }
  /** Go on with what is planned, and ask for outcomes that are awaited. `live`: a live device is meant. */
  | { readonly do: "resume"; readonly live?: "allowed" }
  /** Read the source live, and send what is new. */
  | { readonly do: "sync"; readonly source: string }
  /** Log in at the source again. */
  | { readonly do: "source-login"; readonly source: string }
  /** Say whether someone must look. */
  | { readonly do: "health" }
  /** The documents of the store, those of one state or all. */
  | { readonly do: "list"; readonly state?: string }
  /** The imports of the store, and how to end one. */
  | { readonly do: "imports" }
  /** End an import: what was not handed over is never sent. */
  | { readonly do: "cancel-import"; readonly id: number }
  /** Compare the counters of a fiscal day with the store. */
  | { readonly do: "compare-day"; readonly day: number }
  /** Record that what is wrong with the fiscal day was looked at. */
  | { readonly do: "acknowledge-day"; readonly day: number }
  /** Everything that happened to the document in question. */
  | { readonly do: "explain" }
  /** Say what became of the document in question, or what is to become of it. `of`: of all these, after a preview. */
  | {
      readonly do: "resolve"
      readonly as: "fiscalised" | "not-processed" | "resend" | "acknowledged"
      readonly of?: Selection
    }
  /** The request id that the gateway has the document in question under. */
  | { readonly do: "resolve"; readonly as: "accepted"; readonly of?: undefined }
  /** Never send the document in question, or all of these. `because`: the reason, where it is known. */
  | { readonly do: "withdraw"; readonly because?: string; readonly of?: Selection }
  /** Take an older copy of the store for the store. */
  | { readonly do: "accept-older" }
  /** Send without the check that needs a fact which the gateway does not state; left out, the fact is one of several. */
  | { readonly do: "accept-unknown"; readonly fact?: string }
  /** Move the account to the device it has now. */
  | { readonly do: "repin" }
  /** Trust another gateway with the key of the account. */
  | { readonly do: "trust-origin" }
  /** What a code means. */
  | { readonly do: "why"; readonly code: string }
  /** Compare the mapping book with the gateway; `delete`: and plan to delete what the book does not name. */
  | { readonly do: "compare-mappings"; readonly extras?: "delete" }
  /** Take what the gateway maps into the book. */
  | { readonly do: "pull-mappings" }
  /** The gateway's mappings of taxes or currencies, with their ids, and without the one of this id. */
  | { readonly do: "list-mappings"; readonly of: "tax" | "currency" }
  | { readonly do: "delete-mapping"; readonly of: "tax" | "currency"; readonly id: number }
  /** The device of the account, its taxes among the rest; the currencies it knows. */
  | { readonly do: "show-device" }
  | { readonly do: "show-currencies" }
  /** Import the same export again, with this said in addition. */
  | { readonly do: "import-again"; readonly passage: "historical" }
  | { readonly do: "import-again"; readonly answer: Answer }
  /** Copy the store as it stands. */
  | { readonly do: "back-up" }

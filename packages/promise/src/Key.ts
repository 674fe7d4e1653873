/** What names a document. */

/** A document of the connector's account, by the identifier the source gave it. */
export interface Key {
  readonly kind: "invoice" | "credit-note"
  readonly id: string
}

/** A document of the connector's account, by kind and by the id that the source assigned. */
export interface Key {
  readonly kind: "invoice" | "credit-note"
  readonly id: string
}

import type { BuyerFields, Item, UnmappedFields } from "@fiscal-connector/adapter-kit"
import { type QuickBooksJoined, modifiedOf } from "./Joined.ts"
import { type QuickBooksLikeOptions, taxNumbers } from "./QuickBooksLikeOptions.ts"

export interface QuickBooksBuyer {
  readonly buyer: BuyerFields | undefined
  readonly unmapped: ReadonlyArray<UnmappedFields>
}

/** `till`: a receipt does not need a buyer. */
export const buyerOf = (
  row: Item,
  customers: QuickBooksJoined["customers"],
  { missingCustomers, tin, vatNumber }: QuickBooksLikeOptions,
  sold: "till" | "account"
): QuickBooksBuyer => {
  const isStrict = missingCustomers === undefined
  const id = row.optional.text("/CustomerRef/value")
  const name = row.optional.text("/CustomerRef/name")
  const buyer = { id, name, email: row.optional.text("/BillEmail/Address") }
  const stated = { buyer, unmapped: [] }
  if (id === undefined && name === undefined) {
    if (sold === "account" && isStrict)
      row.refuse("CustomerRef", "the document names no customer", "Export it with its CustomerRef.")
    return stated
  }
  if (customers.size === 0 || id === undefined) {
    if (name === undefined && isStrict)
      row.refuse("CustomerRef", "the customer has an id and no name", "Give the export of the customers as well.")
    return stated
  }
  const customer = found(row, customers, id, isStrict)
  if (customer === undefined) return stated
  const called = [customer.optional.text("DisplayName"), customer.optional.text("FullyQualifiedName")]
  if (name !== undefined && called.some((own) => own !== undefined) && !called.includes(name))
    row.refuse("/CustomerRef/name", `the customer ${id} has another name in the list of customers`, exportAnew)
  const legal = entityOf(row, customers, customer, isStrict)
  return {
    buyer: {
      id: legal.optional.text("Id") ?? id,
      name: legal.optional.text("CompanyName") ?? legal.optional.text("DisplayName") ?? name,
      tin: tin && legal.optional.text(tin),
      vatNumber: vatNumber && legal.optional.text(vatNumber),
      phone: legal.optional.text("/PrimaryPhone/FreeFormNumber"),
      email: row.optional.text("/BillEmail/Address") ?? legal.optional.text("/PrimaryEmailAddr/Address")
    },
    unmapped: tin === undefined && vatNumber === undefined ? taxNumbers.map((key) => numberIn(legal, key)) : []
  }
}

const numberIn = (item: Item, key: (typeof taxNumbers)[number]): UnmappedFields => ({
  subject: "buyer-number",
  item,
  key,
  answers: [{ settings: { tin: key } }, { settings: { vatNumber: key } }]
})

const exportAnew = "Export documents and customers again, at one time."

const found = (
  row: Item,
  customers: QuickBooksJoined["customers"],
  id: string,
  isStrict: boolean
): Item | undefined => {
  const customer = customers.latest(id, modifiedOf)
  if (customer === "differ") {
    row.refuse("/CustomerRef/value", `the export states the customer ${id} in two ways`, exportAnew)
    return undefined
  }
  if (customer === undefined && isStrict)
    row.refuse("/CustomerRef/value", `the export has no customer ${id}`, "Give the export of all customers.")
  return customer
}

const entityOf = (row: Item, customers: QuickBooksJoined["customers"], customer: Item, isStrict: boolean): Item => {
  let legal = customer
  for (let depth = 0; depth < 8; depth++) {
    const isPart = legal.flag("Job") || legal.flag("BillWithParent")
    const parent = isPart ? legal.optional.text("/ParentRef/value") : undefined
    const above = parent === undefined ? undefined : found(row, customers, parent, isStrict)
    if (above === undefined) return legal
    legal = above
  }
  row.refuse("CustomerRef", "the customer is a job of itself", exportAnew)
  return legal
}

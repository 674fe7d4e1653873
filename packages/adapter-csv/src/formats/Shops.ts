/** What shops and tills export: orders and sales that the money makes final. */
import { addedTax, type Preset } from "./Preset.ts"

/** Money stands on an order's first row only; tax is named once per order; refunds have no lines. */
export const shopify: Preset = {
  name: "shopify",
  title: "Shopify orders",
  requires: [
    "Name",
    "Financial Status",
    "Created at",
    "Lineitem quantity",
    "Lineitem name",
    "Lineitem price",
    "Refunded Amount"
  ],
  map: {
    version: 1,
    layout: "continuation",
    columns: {
      status: "Financial Status",
      number: "Name",
      date: "Created at",
      cancelled: "Cancelled at",
      customerName: "Billing Name",
      customerEmail: "Email",
      currency: "Currency",
      total: "Total",
      tax: "Taxes",
      shipping: "Shipping",
      documentDiscount: "Discount Amount",
      refunded: "Refunded Amount",
      linesTotal: "Subtotal",
      description: "Lineitem name",
      quantity: "Lineitem quantity",
      unitPrice: "Lineitem price",
      discount: "Lineitem discount",
      productCode: "Lineitem sku",
      taxes: [{ taxable: "Lineitem taxable" }],
      documentTaxes: ["Tax 1 Name", "Tax 2 Name", "Tax 3 Name", "Tax 4 Name", "Tax 5 Name"],
      documentTaxAmounts: ["Tax 1 Value", "Tax 2 Value", "Tax 3 Value", "Tax 4 Value", "Tax 5 Value"]
    },
    statusesAre: "all",
    // an order is issued when its money is taken, or at least a part of it
    statuses: {
      paid: "issued",
      "partially paid": "issued",
      refunded: "refunded",
      "partially refunded": "refunded",
      authorized: "skip",
      pending: "skip",
      unpaid: "skip",
      expired: "skip",
      voided: "skip"
    }
  }
}

/** A refund has the transaction of its sale; discounts are negative. */
export const square: Preset = {
  name: "square-items",
  title: "Square item details",
  // the time stands in a column of its own
  dates: "days",
  requires: ["Date", "Item", "Qty", "Gross Sales", "Discounts", "Net Sales", "Transaction ID", "Event Type"],
  map: {
    version: 1,
    columns: {
      kind: "Event Type",
      number: "Transaction ID",
      original: "Transaction ID",
      date: "Date",
      customerName: "Customer Name",
      customerId: "Customer ID",
      description: "Item",
      quantity: "Qty",
      discount: "Discounts",
      lineGross: "Gross Sales",
      lineAmount: "Net Sales",
      taxes: [{ ...addedTax, amount: "Tax" }]
    },
    group: ["Transaction ID", "Event Type"],
    // a sale may be refunded on several days
    notesBy: ["Date"],
    kinds: { payment: "invoice" },
    settings: { amounts: "exclusive" }
  }
}

/**
 * Orders of the common exporter (Advanced Order Export): the order's money on every row, lines without tax. A quantity less refunds is read only of
 * orders without refunds: others are refused or noted as refunded.
 */
export const woocommerce: Preset = {
  name: "woocommerce",
  title: "WooCommerce orders",
  requires: ["Order Number", "Order Status", "Order Date", "Order Total Amount", "Item Name", "Item Cost"],
  // the site's local time, and not the time of a receipt
  dates: "days",
  map: {
    version: 1,
    layout: "continuation",
    columns: {
      status: "Order Status",
      number: "Order Number",
      date: "Order Date",
      customerName: "Company (Billing)",
      customerEmail: "Email (Billing)",
      customerPhone: "Phone (Billing)",
      currency: ["Order Currency", "Currency"],
      paymentMethod: "Payment Method Title",
      total: "Order Total Amount",
      tax: "Order Total Tax Amount",
      shipping: "Order Shipping Amount",
      documentDiscount: "Cart Discount Amount",
      linesTotal: "Order Subtotal Amount",
      refunded: "Order Refund Amount",
      description: "Item Name",
      productCode: "SKU",
      quantity: ["Quantity", "Quantity (- Refund)"],
      unitPrice: "Item Cost",
      lineAmount: "Order Line (w/o tax)",
      taxes: [{ ...addedTax, amount: "Order Line Tax" }]
    },
    nameParts: ["First Name (Billing)", "Last Name (Billing)"],
    discountOn: "either",
    // of the coupon, once more; the whole order's, less refunds
    unread: ["Discount Amount", "Discount Amount Tax"],
    statuses: {
      completed: "issued",
      "wc completed": "issued",
      "pending payment": "skip",
      "wc pending": "skip",
      "on hold": "skip",
      "wc on hold": "skip",
      failed: "skip",
      "wc failed": "skip",
      cancelled: "skip",
      "wc cancelled": "skip",
      refunded: "refunded",
      "wc refunded": "refunded"
    },
    settings: { amounts: "exclusive" }
  }
}

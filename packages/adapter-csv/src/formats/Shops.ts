/** Exports of shops and tills: orders and sales that become final with the payment. */
import { addedTax, type Preset } from "./Preset.ts"

/**
 * Orders with amounts on the first row only, the tax named once per order, and refunds without
 * lines.
 */
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
    harmless: {
      "what is paid, which a receipt does not state":
        "Paid at|Outstanding Balance|Payment Reference|Payment References|Payment ID|" +
        "Payment Terms Name|Next Payment Due At|Receipt Number",
      "administration of the order":
        "Id|Fulfillment Status|Fulfilled at|Accepts Marketing|Discount Code|Shipping Method|" +
        "Lineitem requires shipping|Lineitem fulfillment status|Lineitem compare at price|" +
        "Risk Level|Source|Notes|Note Attributes|Tags|Device ID|Employee|Location|Vendor",
      "an address, which a receipt does not need":
        "Billing Phone|Billing Street|Billing Address1|Billing Address2|Billing City|" +
        "Billing Zip|Billing Province|Billing Country|Billing Province Name|Shipping Name|" +
        "Shipping Street|Shipping Address1|Shipping Address2|Shipping Company|Shipping City|" +
        "Shipping Zip|Shipping Province|Shipping Country|Shipping Phone|Shipping Province Name"
    },
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
    // an order counts as issued when at least a part is paid
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

export const square: Preset = {
  name: "square-items",
  title: "Square item details",
  // the time is in a separate column
  dates: "days",
  requires: ["Date", "Item", "Qty", "Gross Sales", "Discounts", "Net Sales", "Transaction ID", "Event Type"],
  map: {
    version: 1,
    harmless: {
      "administration of the sale":
        "Payment ID|Time|Time Zone|Category|Price Point Name|Device Name|Location|Unit|Count|" +
        "Device Nickname|Details|Dining Option|Customer Reference ID|Fulfillment Note|Channel|" +
        "Token|GTIN|Itemization Type|Card Brand|PAN Suffix|Employee"
    },
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
 * Advanced Order Export: the order's amounts on every row, lines without tax. A quantity less
 * refunds is read only for orders without refunds: other orders are refused, or noted as refunded.
 */
export const woocommerce: Preset = {
  name: "woocommerce",
  title: "WooCommerce orders",
  requires: ["Order Number", "Order Status", "Order Date", "Order Total Amount", "Item Name", "Item Cost"],
  // local time of the site, not of the receipt
  dates: "days",
  map: {
    version: 1,
    harmless: {
      "administration of the order":
        "Item #|Shipping Method Title|Coupon Code|Customer Note|Customer User ID|Payment Date|" +
        "Order Key|Product Id|Variation Id|Product Variation|Customer Role",
      "stated again by a column that is read": "Discount Amount|Discount Amount Tax",
      "an address, which a receipt does not need":
        "Address 1&2 (Billing)|Address 1 (Billing)|Address 2 (Billing)|City (Billing)|" +
        "State Code (Billing)|State Name (Billing)|Postcode (Billing)|Country Code (Billing)|" +
        "Country Name (Billing)|First Name (Shipping)|Last Name (Shipping)|" +
        "Address 1&2 (Shipping)|City (Shipping)|State Code (Shipping)|Postcode (Shipping)|" +
        "Country Code (Shipping)"
    },
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
      lineTotal: "Order Line Total",
      taxes: [{ ...addedTax, amount: "Order Line Tax" }]
    },
    nameParts: ["First Name (Billing)", "Last Name (Billing)"],
    discountOn: "either",
    // discount of the coupon again, and of the whole order less refunds
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

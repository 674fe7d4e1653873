/** A store shared by several connectors. */

declare const opened: unique symbol

export interface Store extends AsyncDisposable {
  readonly [opened]: "made by openStore"
}

/** A store that several connectors share. */

declare const opened: unique symbol

export interface Store extends AsyncDisposable {
  readonly [opened]: "made by openStore"
}

/**
 * NestJS module of the connector: `imports: [FiscalModule.forRoot({ … })]`, then
 * `constructor(@Inject(FISCAL) private readonly fiscal: FiscalConnector)`.
 */
import { connect, type ConnectOptions, type FiscalConnector } from "@fiscal-connector/promise"
import type { DynamicModule, OnApplicationShutdown } from "@nestjs/common"

/** Injection token of the connector. */
export const FISCAL = Symbol("fiscal connector")

/**
 * Closes the connector when the application shuts down. A request in progress is finished and
 * recorded first.
 */
class Shutdown implements OnApplicationShutdown {
  readonly fiscal: FiscalConnector

  constructor(fiscal: FiscalConnector) {
    this.fiscal = fiscal
  }

  async onApplicationShutdown(): Promise<void> {
    await this.fiscal[Symbol.asyncDispose]()
  }
}

export class FiscalModule {
  static forRoot(options: ConnectOptions): DynamicModule {
    return {
      module: FiscalModule,
      global: true,
      providers: [
        { provide: FISCAL, useFactory: () => connect(options) },
        { provide: Shutdown, useFactory: (fiscal: FiscalConnector) => new Shutdown(fiscal), inject: [FISCAL] }
      ],
      exports: [FISCAL]
    }
  }
}

/** NestJS as loaded by a service. */
import "reflect-metadata"

export { NestFactory } from "@nestjs/core"
export { FISCAL, FiscalModule } from "./fiscal.module.ts"

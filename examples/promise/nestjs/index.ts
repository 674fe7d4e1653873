/** NestJS as a service loads it. */
import "reflect-metadata"

export { NestFactory } from "@nestjs/core"
export { FISCAL, FiscalModule } from "./fiscal.module.ts"

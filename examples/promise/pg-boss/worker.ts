/**
 * Jobs of pg-boss with one document each, and a worker that processes them in batches of a hundred.
 * Start the worker on any number of machines.
 */
import type { DocumentInput, FiscalConnector, Result } from "@fiscal-connector/promise"
import type { PgBoss } from "pg-boss"

const queue = "documents"

/** Creates the queue. Call once at startup. */
export const prepare = (boss: PgBoss): Promise<void> => boss.createQueue(queue, { retryLimit: 1000, retryDelay: 5 })

/**
 * Adds a document to the queue. With pg-boss's `db` option, call in the transaction that creates
 * the invoice.
 */
export const send = (boss: PgBoss, document: DocumentInput): Promise<string | null> => boss.send(queue, { document })

/**
 * Starts a worker. `save` writes a document's state back. If a worker dies, its jobs go to another
 * worker, which gets the codes; the documents are not sent again.
 */
export const work = (boss: PgBoss, fiscal: FiscalConnector, save: (result: Result) => Promise<void>): Promise<string> =>
  boss.work<{ document: DocumentInput }>(queue, { batchSize: 100, pollingIntervalSeconds: 0.5 }, async (jobs) => {
    const documents = jobs.map(({ data }) => data.document)
    const { results } = await fiscal.sync(documents, { whenLate: "send-rest" })
    // a duplicate has the same result as its other job
    for (const result of results) if (result.status !== "duplicate") await save(result)
  })

import type { Kysely } from 'kysely'
import type { Config } from '#core/config/config.ts'
import type { Database } from '#core/data/schema/tables.ts'
import type { FileStore } from '#core/file-store/file-store.ts'
import type { Logger } from '#core/telemetry/logger.ts'
import type { Market } from '#core/use-cases/market/market.ts'
import type { Admission } from './admission/open-admission.ts'
import type { SourceHints } from './identity/source-hints.ts'
import type { Announcements } from './open-announcements.ts'

/**
 * The services of a use case that the operator's command runs too (scripts/leadwire): PostgreSQL and the file store, neither
 * Redis nor HTTP. A ServerContext is one.
 */
export interface OperatorContext {
  config: Config
  logger: Logger
  db: Kysely<Database>
  announce: Pick<Announcements, 'deliveries'>
  admission: Pick<Admission, 'inReplayQueue'>
  market: Pick<Market, 'suppressionKeys'>
  files: FileStore
  identity: { sources: Pick<SourceHints, 'forget'> }
}

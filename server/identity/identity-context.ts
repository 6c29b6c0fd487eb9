import type { Kysely } from 'kysely'
import type { Config } from '#core/config/config.ts'
import type { Database } from '#core/data/schema/tables.ts'
import type { SigningKeys } from './signing-keys.ts'
import type { FindPrincipal } from './gather-principals.ts'
import type { SourceHints } from './source-hints.ts'

/** The keys of tokens, and the look-ups that find a caller. */
export interface IdentityPart {
  keys: SigningKeys
  sources: SourceHints
  findPrincipal: FindPrincipal
}

/** Everything that identification needs; the server's own context satisfies it. */
export interface IdentityContext {
  config: Config
  db: Kysely<Database>
  identity: IdentityPart
}

import type { Kysely } from 'kysely'
import type { Config } from '#core/config/config.ts'
import type { Database } from '#core/data/schema/tables.ts'
import type { Logger } from '#core/telemetry/logger.ts'
import type { SecretBox } from '#core/secrets/secret-box.ts'
import type { SigningKeys } from '../identity/signing-keys.ts'
import type { OAuthProviders } from './providers/open-providers.ts'
import type { RateLimits } from './guards/rate-limits.ts'
import type { SendSms } from './sms/send-sms.ts'

/** What the authentication service needs; the server's own context satisfies it. */
export interface AuthContext {
  config: Config
  db: Kysely<Database>
  logger: Logger
  keys: SigningKeys
  secrets: SecretBox
  /** turns a one-time code into what the table keeps of it */
  codeKey: Buffer
  rates: RateLimits
  providers: OAuthProviders
  /** undefined where no provider is configured */
  sendSms: SendSms | undefined
  /** Does what no answer may wait for, because the time would tell who has an account; the process waits before it ends. */
  afterAnswer: (work: () => Promise<unknown>) => void
}

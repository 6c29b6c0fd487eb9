import type { Logger } from '#core/telemetry/logger.ts'
import type { SecretBox } from '#core/secrets/secret-box.ts'
import type { IdentityContext } from '../identity/identity-context.ts'
import type { OAuthProviders } from './providers/open-providers.ts'
import type { AccountRates } from './guards/account-rates.ts'
import type { SendSms } from './sms/send-sms.ts'

/** What belongs to the accounts alone (open-accounts.ts). */
export interface AccountsPart {
  /** turns a one-time code into what the table keeps of it */
  codeKey: Buffer
  rates: AccountRates
  providers: OAuthProviders
  /** undefined where no provider is configured */
  sendSms: SendSms | undefined
  /** Does what no answer may wait for, because the time would tell who has an account; the process waits before it ends. */
  afterAnswer: (work: () => Promise<unknown>) => void
}

/** What the authentication service needs; the server's own context satisfies it. */
export interface AuthContext extends IdentityContext {
  logger: Logger
  secrets: SecretBox
  accounts: AccountsPart
}

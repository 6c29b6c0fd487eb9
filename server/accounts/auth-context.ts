import type { FileStore } from '#core/file-store/file-store.ts'
import type { Logger } from '#core/telemetry/logger.ts'
import type { PurposeKeys } from '#core/secrets/derived-keys.ts'
import type { SecretBox } from '#core/secrets/secret-box.ts'
import type { IdentityContext } from '../identity/identity-context.ts'
import type { OAuthProviders } from './providers/open-providers.ts'
import type { AccountRates } from './guards/account-rates.ts'
import type { SendSms } from './sms/send-sms.ts'

/** The part of the context that belongs to the accounts alone (open-accounts.ts). */
export interface AccountsPart {
  /** the keys that turn a one-time code into what the table stores */
  codeKeys: PurposeKeys
  /** the keys that sign the cookies of known browsers */
  deviceKeys: PurposeKeys
  rates: AccountRates
  providers: OAuthProviders
  /** undefined if no provider is configured */
  sendSms: SendSms | undefined
  /**
   * Runs work after the answer, when the duration of the answer would tell who has an account. The process
   * waits for it before it ends.
   */
  afterAnswer: (work: () => Promise<unknown>) => void
}

/** The context of the authentication service; the server's own context satisfies it. */
export interface AuthContext extends IdentityContext {
  logger: Logger
  secrets: SecretBox
  /** the bytes of stored files */
  files: FileStore
  accounts: AccountsPart
}

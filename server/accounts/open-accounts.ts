import type { Config } from '#core/config/config.ts'
import type { Keyring } from '#core/secrets/keyring.ts'
import type { Logger } from '#core/telemetry/logger.ts'
import { createAfterCommit } from '../after-commit.ts'
import type { CountingPlace } from '../http/rate-limits.ts'
import type { Opened } from '#core/closing.ts'
import type { AccountsPart } from './auth-context.ts'
import { openAccountRates } from './guards/account-rates.ts'
import { openProviders } from './providers/open-providers.ts'
import { openSms } from './sms/send-sms.ts'

export type { AuthContext } from './auth-context.ts'

/** The accounts' own part of the context. Closing it waits for messages that are sent after their answer. */
export function openAccounts(
  { config, logger, keyring }: { config: Config; logger: Logger; keyring: Keyring },
  counting: CountingPlace,
): Opened<AccountsPart> {
  const messages = createAfterCommit(logger, 'a message with a code could not be sent')
  return {
    part: {
      codeKeys: keyring.keysFor('codes'),
      deviceKeys: keyring.keysFor('devices'),
      rates: openAccountRates(config.auth.rates, counting),
      providers: openProviders(config),
      sendSms: openSms(config.auth),
      afterAnswer: messages.run,
    },
    close: messages.settled,
  }
}

import { UNREADABLE_AUTHENTICATION } from '#core/contract/webhooks/authentication.ts'
import { AppError } from '#core/errors.ts'
import { openReadableAuthentication } from '#core/secrets/open-credentials.ts'
import type { SecretBox } from '#core/secrets/secret-box.ts'

/**
 * Lets only webhooks send whose stored authentication opens: without it a receiver would refuse every lead.
 * @throws AppError validation_failed
 */
export function requireReadableAuthentication(
  { authentication }: { authentication: string | null },
  secrets: SecretBox,
): void {
  if (openReadableAuthentication(authentication, secrets) !== undefined) return
  const errors = [{ path: 'authentication', message: UNREADABLE_AUTHENTICATION }]
  throw new AppError('validation_failed', `${UNREADABLE_AUTHENTICATION}.`, { errors })
}

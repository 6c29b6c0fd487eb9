import {
  UNREADABLE_AUTHENTICATION,
  UNREADABLE_HEADER,
  UNREADABLE_KEY,
  UNREADABLE_SECRET,
} from '#core/contract/webhooks/authentication.ts'
import type { FieldError } from '#core/contract/problem.ts'
import { AppError } from '#core/errors.ts'
import {
  openIfPossible,
  openReadableAccess,
  openReadableHeaders,
  type SealedAccess,
} from '#core/secrets/open-credentials.ts'
import type { SecretBox } from '#core/secrets/secret-box.ts'

type Sealed = SealedAccess & { custom_headers: unknown }

/** Finds stored credentials that no key opens any more, or that are damaged: their owner enters them again. */
export function findUnreadable(stored: Sealed, secrets: SecretBox): FieldError[] {
  const { authentication, certificates } = openReadableAccess(stored, secrets)
  const headers = Object.entries(openReadableHeaders(stored.custom_headers, secrets))
  const errors = headers
    .filter(([, value]) => value === undefined)
    .map(([name]) => ({ path: `custom_headers.${name}`, message: UNREADABLE_HEADER }))
  if (authentication === undefined)
    errors.unshift({ path: 'authentication', message: UNREADABLE_AUTHENTICATION })
  if (certificates !== null && stored.client_key !== null && certificates.key === null)
    errors.push({ path: 'client_key', message: UNREADABLE_KEY })
  return errors
}

/**
 * Lets only webhooks send whose stored credentials open: without them a receiver would refuse every lead.
 * @throws AppError validation_failed
 */
export function requireReadableCredentials(stored: Sealed, secrets: SecretBox): void {
  const errors = findUnreadable(stored, secrets)
  const [first] = errors
  if (first !== undefined) throw new AppError('validation_failed', `${first.message}.`, { errors })
}

/** A signing secret in clear. @throws AppError conflict if no key opens it any more, or it is damaged */
export function openSigningSecret(sealed: string, secrets: SecretBox): string {
  const secret = openIfPossible(sealed, secrets)
  if (secret === undefined) throw new AppError('conflict', `${UNREADABLE_SECRET}.`)
  return secret
}

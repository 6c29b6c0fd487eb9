import { createHash, timingSafeEqual } from 'node:crypto'
import { z } from 'zod'
import { validationFailed } from '../wire/auth-error.ts'

/** The members of a body that {@link readPkce} reads. */
export const pkceMembers = {
  code_challenge: z.string().optional(),
  code_challenge_method: z.string().optional(),
}

export interface PkceChallenge {
  code_challenge: string
  code_challenge_method: 's256' | 'plain'
}

/**
 * The PKCE members of a request (RFC 7636): both or neither.
 * @throws AuthError validation_failed
 */
export function readPkce(given: {
  code_challenge?: string | undefined
  code_challenge_method?: string | undefined
}): PkceChallenge | undefined {
  const challenge = given.code_challenge ?? ''
  const method = (given.code_challenge_method ?? '').toLowerCase()
  if (challenge === '' && method === '') return undefined
  if (challenge === '' || method === '')
    throw validationFailed('PKCE flow requires code_challenge_method and code_challenge')
  if (method !== 's256' && method !== 'plain')
    throw validationFailed('code_challenge_method must be s256 or plain')
  if (challenge.length < 43 || challenge.length > 128)
    throw validationFailed('code challenge has to be between 43 and 128 characters')
  if (!/^[\w.~-]+$/.test(challenge))
    throw validationFailed(
      'code challenge can only contain alphanumeric characters, hyphens, periods, underscores and tildes',
    )
  return { code_challenge: challenge, code_challenge_method: method }
}

/** Whether the verifier is the one the challenge was made from. */
export function fitsChallenge(
  verifier: string,
  {
    code_challenge,
    code_challenge_method,
  }: { code_challenge: string | null; code_challenge_method: string | null },
): boolean {
  const made =
    code_challenge_method === 's256' ? createHash('sha256').update(verifier).digest('base64url') : verifier
  const [a, b] = [Buffer.from(made), Buffer.from(code_challenge ?? '')]
  return a.length === b.length && timingSafeEqual(a, b)
}

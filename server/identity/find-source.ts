import { createHash } from 'node:crypto'
import { SOURCE_KEY_PREFIX } from '#core/contract/leads/source.ts'
import type { SourceCaller } from '#core/data/leads/sources/sources.ts'
import { AppError } from '#core/errors.ts'
import type { IdentityContext } from './identity-context.ts'

export type SourceVerdict =
  /** known now, or within the last 10 s (source-hints.ts) */
  | { state: 'known'; source: SourceCaller }
  /** `unknown_key`: never issued, or revoked */
  | { state: 'no_key' | 'unknown_key' }

/** THE answer to "which source sends this?". */
export async function findSource(
  { identity: { sources } }: Pick<IdentityContext, 'identity'>,
  authorization: string | undefined,
): Promise<SourceVerdict> {
  const [, key] = /^Bearer +(\S+) *$/i.exec(authorization ?? '') ?? []
  if (key?.startsWith(SOURCE_KEY_PREFIX) !== true) return { state: 'no_key' }
  const source = await sources.find(hashSourceKey(key))
  return source === undefined ? { state: 'unknown_key' } : { state: 'known', source }
}

/** The refusal of a key that is unknown or revoked, for all places that notice it. */
export function keyRefused(): AppError {
  return new AppError('invalid_api_key', 'This API key is unknown or was revoked.')
}

/** Keys are 256 random bits, so plain SHA-256 is enough, and a look-up by hash leaks no timing. */
export function hashSourceKey(key: string): Buffer {
  return createHash('sha256').update(key).digest()
}

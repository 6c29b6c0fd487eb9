import { createHash } from 'node:crypto'
import { SOURCE_KEY_PREFIX } from '#core/contract/leads/source.ts'
import { findSourceByKey, type SourceCaller } from '#core/data/leads/sources.ts'
import type { IdentityContext } from './identity-context.ts'

export type SourceVerdict =
  | { state: 'known'; source: SourceCaller }
  /** `unknown_key`: never given out, or revoked */
  | { state: 'no_key' | 'unknown_key' }

/** THE answer to "which source sends this?". */
export async function findSource(
  { db }: Pick<IdentityContext, 'db'>,
  authorization: string | undefined,
): Promise<SourceVerdict> {
  const [, key] = /^Bearer +(\S+) *$/i.exec(authorization ?? '') ?? []
  if (key?.startsWith(SOURCE_KEY_PREFIX) !== true) return { state: 'no_key' }
  const source = await findSourceByKey(db, hashSourceKey(key))
  return source === undefined ? { state: 'unknown_key' } : { state: 'known', source }
}

/** Keys are 256 random bits, so their plain SHA-256 is enough, and a look-up by hash tells nothing by its time. */
export function hashSourceKey(key: string): Buffer {
  return createHash('sha256').update(key).digest()
}

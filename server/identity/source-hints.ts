import { LRUCache } from 'lru-cache'
import type { Db } from '#core/data/database.ts'
import { findSourceByKey, type SourceCaller } from '#core/data/leads/sources.ts'

const KEPT_MS = 10_000
const MOST = 10_000

/** Whose a key was a moment ago, so that not every lead asks for it. */
export interface SourceHints {
  /**
   * The source of a key, by its SHA-256. Only a hint: the key may have been revoked since, by another server too. Whoever does
   * something in the source's name makes sure of it in the same statement.
   */
  find: (keyHash: Buffer) => Promise<SourceCaller | undefined>
  /** A key was revoked: ask for all of them again. */
  forget: () => void
}

export function createSourceHints(db: Db): SourceHints {
  const kept = new LRUCache<string, SourceCaller>({ max: MOST, ttl: KEPT_MS })
  return {
    find: async (keyHash) => {
      const id = keyHash.toString('base64')
      const known = kept.get(id)
      if (known !== undefined) return known
      const source = await findSourceByKey(db, keyHash)
      // What is no key is asked for each time, and takes nobody's place.
      if (source !== undefined) kept.set(id, source)
      return source
    },
    forget: () => {
      kept.clear()
    },
  }
}

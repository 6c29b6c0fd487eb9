import { LRUCache } from 'lru-cache'
import { createBatcher } from '#core/concurrency/batch.ts'
import type { Db } from '#core/data/database.ts'
import { findSourcesByKeys } from '#core/data/leads/sources/source-keys.ts'
import type { SourceCaller } from '#core/data/leads/sources/sources.ts'

const KEPT_MS = 10_000
const MOST = 10_000
const MOST_TOGETHER = 200

/** Caches the source of a key for a moment, so that not every lead looks it up. */
export interface SourceHints {
  /**
   * The source of a key, by its SHA-256. Only a hint: the key may have been revoked since, also by another
   * server. A statement that acts for the source must check it again.
   */
  find: (keyHash: Buffer) => Promise<SourceCaller | undefined>
  /** A key was revoked: look all of them up again. */
  forget: () => void
}

/**
 * Leads of the same moment look their key up once, and all keys share one statement: hundreds of statements
 * would delay other requests. One statement at a time, so that strangers, who may try any key as often as
 * they like, take one connection at most.
 */
export function createSourceHints(db: Db): SourceHints {
  const kept = new LRUCache<string, SourceCaller>({ max: MOST, ttl: KEPT_MS })
  /** look-ups in progress */
  const asked = new Map<string, Promise<SourceCaller | undefined>>()
  const lookUps = createBatcher<Buffer, SourceCaller | undefined>({
    maxSize: MOST_TOGETHER,
    parallel: 1,
    flush: (keyHashes) => findSourcesByKeys(db, keyHashes),
  })

  async function ask(id: string, keyHash: Buffer): Promise<SourceCaller | undefined> {
    const asking = lookUps.add(keyHash)
    asked.set(id, asking)
    // Otherwise a key was revoked meanwhile, and this result is from before.
    const isNews = (): boolean => asked.get(id) === asking
    try {
      const source = await asking
      // An invalid key is looked up each time, and takes no place in the cache.
      if (source !== undefined && isNews()) kept.set(id, source)
      return source
    } finally {
      if (isNews()) asked.delete(id)
    }
  }

  return {
    find: async (keyHash) => {
      const id = keyHash.toString('base64')
      return kept.get(id) ?? (await (asked.get(id) ?? ask(id, keyHash)))
    },
    forget: () => {
      kept.clear()
      asked.clear()
    },
  }
}

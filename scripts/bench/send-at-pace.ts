import { setTimeout as sleep } from 'node:timers/promises'
import type { Agent } from 'undici'
import { now } from '../lab/now.ts'
import { postLead } from './post-lead.ts'

/** Time to prepare, so that the first lead is not late. */
const BEGIN_MS = 200

export interface Pace {
  agent: Agent
  /** the server's */
  url: string
  /** leads a second */
  rate: number
  seconds: number
  /** begins the external ids, so that no source sends an id twice */
  name: string
  /** the key of the source that posts the lead */
  keyOf: (index: number) => string
  /** a text for each lead, instead of a short one */
  comments?: string
}

/** A posted lead; times in milliseconds, `intended` since the epoch. */
export interface Post {
  key: string
  /** its intended moment */
  intended: number
  /** lateness of the generator itself */
  lateMs: number
  /** from that moment until the API had accepted it; null if it did not */
  answerMs: number | null
}

/**
 * Posts leads at fixed moments, whatever the answers (no coordinated omission). Returns when all are
 * answered.
 */
export async function sendAtPace({
  agent,
  url,
  rate,
  seconds,
  name,
  keyOf,
  comments,
}: Pace): Promise<Post[]> {
  const startAt = now() + BEGIN_MS
  const posts: Promise<Post>[] = []
  const post = async (index: number, intended: number): Promise<Post> => {
    const key = keyOf(index)
    const lateMs = Math.max(0, now() - intended)
    const isTaken = await postLead(agent, url, {
      key,
      externalId: `${name}-${index}`,
      index,
      intended,
      comments,
    })
    return { key, intended, lateMs, answerMs: isTaken ? now() - intended : null }
  }
  for (let index = 0; index < Math.round(rate * seconds); index += 1) {
    const intended = startAt + (index * 1000) / rate
    if (intended - now() > 1) await sleep(intended - now())
    posts.push(post(index, intended))
  }
  return await Promise.all(posts)
}

export function countTaken(posts: readonly Post[]): number {
  return posts.filter(({ answerMs }) => answerMs !== null).length
}

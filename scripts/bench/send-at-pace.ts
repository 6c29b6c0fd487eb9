import { setTimeout as sleep } from 'node:timers/promises'
import type { Agent } from 'undici'
import { now } from '../lab/now.ts'
import { postLead } from './post-lead.ts'

/** Enough for the first not to be late. */
const BEGIN_MS = 200

export interface Pace {
  agent: Agent
  /** the server's */
  url: string
  /** leads a second */
  rate: number
  seconds: number
  /** begins the external ids, so that no source brings two of one */
  name: string
  /** the key of the source that brings the lead */
  keyOf: (index: number) => string
  /** of each lead, instead of a short one */
  comments?: string
}

/** A lead that was posted; times in milliseconds, `intended` since the epoch. */
export interface Post {
  key: string
  /** when it was meant to be sent */
  intended: number
  /** how late the generator itself was */
  lateMs: number
  /** from that moment until the API had taken it; null where it has not */
  answerMs: number | null
}

/** Posts leads at moments fixed beforehand, whatever comes back (no coordinated omission). Answers when all are answered. */
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

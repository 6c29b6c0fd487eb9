import { createAccountQueues, type InAccountQueue } from './account-queue.ts'
import { ACCOUNTS } from './limits.ts'
import { createRequestQueue } from './request-queue.ts'
import { createRests, type Rests } from './rests.ts'
import type { Sender } from './sender.ts'
import { createSourceQueues, type InSourceQueue } from './source-queue.ts'
import { createLongWork, type LongWork } from './long-work.ts'

/** Every limit on what comes in at this server, except those that Redis counts. */
export interface Admission extends LongWork, Pick<Rests, 'noteSingle'> {
  inAccountQueue: InAccountQueue
  inSourceQueue: InSourceQueue
  /** Downloads take as long as their readers, so they must not delay screens. */
  inDownloadQueue: (sender: Sender, send: () => Promise<unknown>) => Promise<unknown>
  /** Uploads of files take as long as their senders, so they must not delay screens either. */
  inUploadQueue: (sender: Sender, take: () => Promise<unknown>) => Promise<unknown>
  /** Ends all rests, because the server stops. */
  endRests: () => void
}

export function openAdmission(now: () => number = () => performance.now()): Admission {
  const rests = createRests(now)
  const inDownloadQueue = createRequestQueue(
    ACCOUNTS.downloadsTogether,
    'Too many of your downloads are waiting. Wait for them to end, then ask again.',
    5,
  )
  const inUploadQueue = createRequestQueue(
    ACCOUNTS.uploadsTogether,
    'Too many of your uploads are waiting. Wait for them to end, then try again.',
    5,
  )
  return {
    ...createLongWork(rests),
    noteSingle: rests.noteSingle,
    endRests: rests.stop,
    inAccountQueue: createAccountQueues(rests, now),
    inSourceQueue: createSourceQueues(now),
    inDownloadQueue: ({ name }, send) => inDownloadQueue(name, send),
    inUploadQueue: ({ name }, take) => inUploadQueue(name, take),
  }
}

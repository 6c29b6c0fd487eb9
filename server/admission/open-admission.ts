import { createAccountLines, type InAccountLine } from './account-lines.ts'
import { ACCOUNTS } from './limits.ts'
import { createLine } from './line.ts'
import { createRests, type Rests } from './rests.ts'
import type { Sender } from './sender.ts'
import { createSourceLines, type InSourceLine } from './source-lines.ts'
import { createPriorities, type Turns } from './turns.ts'

/** Every limit on what comes in at this server, but those that are counted in Redis. */
export interface Admission extends Turns, Pick<Rests, 'noteSingle'> {
  inAccountLine: InAccountLine
  inSourceLine: InSourceLine
  /** Long answers, each for as long as its reader takes: they must not hold up his screens. */
  inDownloadLine: (sender: Sender, send: () => Promise<unknown>) => Promise<unknown>
  /** Nothing rests any more, for the server stops. */
  endRests: () => void
}

export function openAdmission(now: () => number = () => performance.now()): Admission {
  const rests = createRests(now)
  const inDownloadLine = createLine(
    ACCOUNTS.downloadsTogether,
    'Too many of your downloads are waiting. Wait for them to end, then ask again.',
    5,
  )
  return {
    ...createPriorities(rests),
    noteSingle: rests.noteSingle,
    endRests: rests.stop,
    inAccountLine: createAccountLines(rests, now),
    inSourceLine: createSourceLines(now),
    inDownloadLine: ({ name }, send) => inDownloadLine(name, send),
  }
}

import type { QueueProblem } from '#core/contract/operations/queues.ts'
import type { PresentWorkers } from '#core/contract/operations/waits.ts'

/** A delivery that has been due for longer waits for too long (the first alert of docs/operations/README.md). */
const OVERDUE_SECONDS = 60
/** Fewer failing deliveries are ordinary. */
const MANY_FAILING = 20

/** Everything known of the queues of deliveries. `more`: there are more than were counted. */
export interface QueueSituation {
  /** null while Redis is away */
  workers: PresentWorkers | null
  is_paused: boolean
  /** seconds for which the delivery that has waited longest for a worker has been due; null if none waits */
  oldest_due_seconds: number | null
  /** deliveries that wait for a retry, or that finally failed in the last hour, by the hosts of their endpoints */
  failing: { hosts: ReadonlyArray<readonly [host: string, count: number]>; more: boolean }
  /** the hosts of endpoints that do not answer, and how many deliveries are held for them */
  silent: { hosts: readonly string[]; held: number; more: boolean }
}

/** Says what is wrong with the queues: first what concerns all clients. Empty if nothing is. */
export function nameQueueProblems(now: QueueSituation): QueueProblem[] {
  const problems: QueueProblem[] = []
  const name = (code: QueueProblem['code'], isSevere: boolean, sentence: string): void => {
    problems.push({ code, is_severe: isSevere, sentence })
  }
  if (now.workers === null)
    name(
      'redis_away',
      true,
      'Redis does not answer. Leads are stored meanwhile, and deliveries go on without it.',
    )
  if (now.workers?.count === 0) name('no_worker', true, 'No worker runs, so nothing is sent. Start a worker.')
  if (now.is_paused) name('paused', true, 'Sending is paused in Redis, so no worker begins a delivery.')
  if (now.oldest_due_seconds !== null && now.oldest_due_seconds > OVERDUE_SECONDS)
    name('overdue', true, `The oldest due delivery has waited for ${wordSpan(now.oldest_due_seconds)}.`)
  const failing = now.failing.hosts.reduce((sum, [, count]) => sum + count, 0)
  if (failing >= MANY_FAILING) name('failing', false, wordFailing(now.failing, failing))
  if (now.silent.hosts.length > 0) name('silent', false, wordSilent(now.silent))
  return problems
}

function wordFailing({ hosts, more }: QueueSituation['failing'], failing: number): string {
  const [most = ['', 0] as const] = hosts.toSorted(([, a], [, b]) => b - a)
  const [host, count] = most
  const where = hosts.length === 1 ? `all to ${host}` : `${wordCount(count)} of them to ${host}`
  return `Many attempts fail: ${wordCount(failing, more)} deliveries wait for a retry or finally failed in the last hour, ${where}.`
}

function wordSilent({ hosts, held, more }: QueueSituation['silent']): string {
  const who = hosts.length === 1 ? `${hosts[0]} does not answer` : `${hosts.length} endpoints do not answer`
  const what = held === 1 ? '1 delivery is' : `${wordCount(held, more)} deliveries are`
  return `${who}, so ${what} held until a single try gets an answer.`
}

const wordCount = (count: number, more = false): string =>
  `${count.toLocaleString('en-US')}${more ? '+' : ''}`

/** "75 seconds", "12 minutes", "5 hours" or "3 days". */
function wordSpan(seconds: number): string {
  if (seconds < 120) return `${Math.floor(seconds)} seconds`
  if (seconds < 7200) return `${Math.floor(seconds / 60)} minutes`
  return seconds < 172_800 ? `${Math.floor(seconds / 3600)} hours` : `${Math.floor(seconds / 86_400)} days`
}

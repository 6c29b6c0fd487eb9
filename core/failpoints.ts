/**
 * Places at which tests make a process die, wait or fail (docs/decisions/0012). Off unless FAILPOINTS names them, which
 * production refuses.
 */
export const FAILPOINTS = [
  /** the API has read a lead; nothing is written */
  'before-commit',
  /** the API has committed a lead; its events are not enqueued */
  'after-commit',
  /** events are about to be enqueued, perhaps after the API's answer; none is enqueued yet */
  'before-enqueue',
  /** the events for one queue are enqueued; those for another perhaps not */
  'after-enqueue',
  /** events are enqueued; PostgreSQL does not know that yet */
  'before-mark',
  /** leads are decided, debited and assigned; nothing is committed */
  'before-assign',
  /** all of that is committed; nothing is planned */
  'after-assign',
  /** a worker has the jobs of events; nothing is planned */
  'before-plan',
  /** deliveries are committed; no dispatcher knows of them */
  'after-plan',
  /** deliveries are due; Redis has no wake-up for them */
  'before-wake-up',
  /** Redis has their wake-up; the process that sent it is not finished */
  'after-wake-up',
  /** a worker has the job of a wake-up; its dispatcher knows nothing yet */
  'before-notify',
  /** the dispatcher knows, in memory; the job is not finished */
  'after-notify',
  /** a poll has found due deliveries; the dispatcher does not know yet */
  'after-poll',
  /** slots are allotted; nothing is claimed for them */
  'before-claim',
  /** a batch is claimed; no sender has it */
  'after-claim',
  /** a delivery is claimed and its request prepared; nothing is sent */
  'before-send',
  /** the endpoint has answered; nothing is written */
  'after-send',
  /** a delivery has failed by itself too often; its end is not written */
  'before-own-failure',
  /** answers are gathered; none is written */
  'before-record',
  /** a retry is committed; this worker has no timer for it */
  'before-retry',
  /** an attempt is written; its worker does not know that yet */
  'after-record',
  /** the first rows of an export are read; its file is not finished */
  'within-export',
  /** the bytes of an export are stored; no file has them yet */
  'before-export-file',
  /** a case of a certification is tried; its result is not stored */
  'within-certification',
  /** the file of a resumable upload is stored; the upload is not marked as stored */
  'after-upload',
  /** late leads are credited in a transaction that is not committed */
  'before-late-credit',
  /** a return is approved in a transaction that is not committed */
  'before-return',
  /** the return is committed; nobody was told */
  'after-return',
  /** an undeliverable lead is taken back in a transaction that is not committed */
  'before-undelivered',
  /** that is committed; nobody was told that the lead is offered again */
  'after-undelivered',
  /** a lead is taken from one client and sold to another in a transaction that is not committed */
  'before-reassign',
  /** that is committed; nobody was told */
  'after-reassign',
  /** a lead is given to a person of its account in a transaction that is not committed */
  'before-give',
  /** that is committed; nobody was told */
  'after-give',
  /** some leads of a recall are returned in a transaction that is not committed */
  'before-recall',
  /** a charge is claimed; the payment provider was not asked for it */
  'before-charge',
  /** the payment provider has answered; nothing is written */
  'after-charge',
  /** a part of a file is staged as rows of an import; the rest is not read */
  'after-stage',
  /** rows of an import are leads in a transaction that is not committed */
  'before-import',
  /** that is committed; nobody was told */
  'after-import',
  /** a mail server has accepted a mail; nothing is written */
  'after-mail',
] as const

export type FailpointName = (typeof FAILPOINTS)[number]

/** The action at the `pass`-th time that a process reaches the place, or every time. */
export interface Failpoint {
  name: FailpointName
  act: { kind: 'exit' } | { kind: 'error' } | { kind: 'pause'; ms: number }
  /** the id of the only subject (for example a webhook) that it applies to */
  subject?: string | undefined
  pass: number | undefined
}

const FORM = /^([\w-]+)=(?:(exit)|(error)|pause:(\d{1,6}))(?:@([\w-]{1,64}))?(?:\*([1-9]\d{0,6}))?$/

/**
 * Reads `name=exit,name=error,name=pause:2000`, each with `@id` if it applies to one subject only, and `*N` if it
 * applies to the Nth pass only.
 * @returns undefined if the text does not have that form, or names a place that does not exist
 */
export function parseFailpoints(text: string): Failpoint[] | undefined {
  const failpoints = text.split(',').map((item): Failpoint | undefined => {
    const [, name, exit, error, ms, subject, pass] = FORM.exec(item.trim()) ?? []
    const known = FAILPOINTS.find((one) => one === name)
    if (known === undefined) return undefined
    return {
      name: known,
      act: exit ? { kind: 'exit' } : error ? { kind: 'error' } : { kind: 'pause', ms: Number(ms) },
      subject,
      pass: pass === undefined ? undefined : Number(pass),
    }
  })
  return failpoints.every((one) => one !== undefined) ? failpoints : undefined
}

/** State of the process, like its death, so it is not passed through every context. */
const armed = new Map<FailpointName, Failpoint>()
const passes = new Map<FailpointName, number>()

/** Called once, by a process as it starts. */
export function armFailpoints(failpoints: readonly Failpoint[]): void {
  armed.clear()
  passes.clear()
  for (const failpoint of failpoints) armed.set(failpoint.name, failpoint)
}

/**
 * Does nothing, at the cost of one look-up, unless the place is armed.
 * @param subject the id of the present subject
 * @throws Error if it is armed with `error`
 */
export function failpoint(name: FailpointName, subject?: string): Promise<void> | undefined {
  if (armed.size === 0) return undefined
  const found = armed.get(name)
  if (found === undefined || (found.subject !== undefined && found.subject !== subject)) return undefined
  return meet(found)
}

async function meet({ name, act, pass }: Failpoint): Promise<void> {
  const count = (passes.get(name) ?? 0) + 1
  passes.set(name, count)
  if (pass !== undefined && pass !== count) return
  process.stderr.write(`failpoint ${name}: ${act.kind}\n`)
  if (act.kind === 'error') throw new Error(`failpoint ${name}`)
  // Like `kill -9`: nothing is flushed, closed or logged.
  if (act.kind === 'exit') process.kill(process.pid, 'SIGKILL')
  await new Promise((resolve) => {
    setTimeout(resolve, act.kind === 'pause' ? act.ms : 60_000)
  })
}

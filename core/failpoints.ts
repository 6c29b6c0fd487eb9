/**
 * Places at which tests make a process die, wait or fail (docs/decisions/0012). Off unless FAILPOINTS names them, which
 * production refuses.
 */
export const FAILPOINTS = [
  /** the API, with a lead read and nothing written */
  'before-commit',
  /** the API, with a lead committed and Redis not told */
  'after-commit',
  /** events are to go to Redis, whose lead the API has answered for, perhaps; none is there */
  'before-enqueue',
  /** the events for one queue are in Redis; those for another perhaps not */
  'after-enqueue',
  /** events are in Redis, and PostgreSQL does not know that yet */
  'before-mark',
  /** leads are decided, debited and assigned, and nothing is committed */
  'before-assign',
  /** all of that is committed, and nothing is planned */
  'after-assign',
  /** a worker has the jobs of events, and nothing is planned */
  'before-plan',
  /** deliveries are committed, and no dispatcher knows of them */
  'after-plan',
  /** deliveries are due, and Redis has no wake-up for them */
  'before-wake-up',
  /** Redis has their wake-up, and the process that sent it is not finished */
  'after-wake-up',
  /** a worker has the job of a wake-up, and its dispatcher knows nothing yet */
  'before-notify',
  /** the dispatcher knows, in memory, and the job is not finished */
  'after-notify',
  /** a poll has found what is due, and the dispatcher does not know yet */
  'after-poll',
  /** slots are allotted, and nothing is claimed for them */
  'before-claim',
  /** a batch is claimed, and no sender has it */
  'after-claim',
  /** a delivery is claimed and its request prepared, and nothing sent */
  'before-send',
  /** the endpoint has answered, and nothing is written */
  'after-send',
  /** a delivery has failed by itself too often, and its end is not written */
  'before-own-failure',
  /** answers are gathered, and none is written */
  'before-record',
  /** a retry is committed, and this worker has no timer for it */
  'before-retry',
  /** an attempt is written, and its worker does not know that yet */
  'after-record',
  /** a return is approved in a transaction, and that is not committed */
  'before-return',
  /** it is committed, and nobody was told */
  'after-return',
  /** a lead that could not be delivered is taken back in a transaction, and that is not committed */
  'before-undelivered',
  /** it is committed, and nobody was told that the lead is offered again */
  'after-undelivered',
  /** a charge is claimed, and the payment provider was not asked for it */
  'before-charge',
  /** it has answered, and nothing is written */
  'after-charge',
  /** a part of a file is staged as rows of an import, and the rest is not read */
  'after-stage',
  /** rows of an import are leads in a transaction, and that is not committed */
  'before-import',
  /** it is committed, and nobody was told */
  'after-import',
  /** a mail server has taken a mail, and nothing is written */
  'after-mail',
] as const

export type FailpointName = (typeof FAILPOINTS)[number]

/** The action on the `pass`-th time that a process comes by, or every time. */
export interface Failpoint {
  name: FailpointName
  act: { kind: 'exit' } | { kind: 'error' } | { kind: 'pause'; ms: number }
  /** the id of the one thing (a webhook, say) that it is meant for */
  subject?: string | undefined
  pass: number | undefined
}

const FORM = /^([\w-]+)=(?:(exit)|(error)|pause:(\d{1,6}))(?:@([\w-]{1,64}))?(?:\*([1-9]\d{0,6}))?$/

/**
 * Reads `name=exit,name=error,name=pause:2000`, each with `@id` where it is meant for one subject only, and `*N` where it is meant for
 * the Nth pass only.
 * @returns undefined where the text is not of that form, or names a place that does not exist
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

/** Belongs to the process, as its death does, and so needs no way through every context. */
const armed = new Map<FailpointName, Failpoint>()
const passes = new Map<FailpointName, number>()

/** Called once, by a process as it starts. */
export function armFailpoints(failpoints: readonly Failpoint[]): void {
  armed.clear()
  passes.clear()
  for (const failpoint of failpoints) armed.set(failpoint.name, failpoint)
}

/**
 * Does nothing, at the price of one look, unless the place is armed.
 * @param subject the id of what comes by
 * @throws Error where it is armed with `error`
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
  // As `kill -9`: nothing is flushed, closed or told.
  if (act.kind === 'exit') process.kill(process.pid, 'SIGKILL')
  await new Promise((resolve) => {
    setTimeout(resolve, act.kind === 'pause' ? act.ms : 60_000)
  })
}

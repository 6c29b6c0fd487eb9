// Crashes between the source's POST and the plan, when several leads share one statement, one job and one
// plan.
import { sql } from 'kysely'
import { expect, test, vi } from 'vitest'
import { EVENT_BURSTS_QUEUE, LEAD_EVENTS_QUEUE, eventJobSchema } from '#core/queue/queues.ts'
import type { LabServer } from '#scripts/lab/start-product.ts'
import { waitUntil } from '#tests/support/condition.ts'
import { givenLead } from '#tests/support/given/pipeline.ts'
import { enqueueTogether, expectEachDelivered, watchDeath, WITHIN } from '#tests/support/processes/carried.ts'
import { setUpCrashPoint, type CrashPoint } from '#tests/support/processes/crash-point.ts'

// Many processes run at once, and the machine may be slow.
vi.setConfig({ testTimeout: 240_000 })

const POSTED = 20
/**
 * Two statements pause this long before their commit; leads that arrive meanwhile are gathered for the third.
 */
const REST = 'before-commit=pause:5000'
const OPEN = ['waiting', 'prioritized', 'active', 'delayed'] as const

type Answer = Awaited<ReturnType<CrashPoint['post']>>

/** Posts leads so that all but two are stored by one statement. */
async function postGathered({ post }: CrashPoint, server: LabServer): Promise<Answer[]> {
  const rests = () => server.output().split('failpoint before-commit').length - 1
  const answers: Promise<Answer>[] = []
  for (let index = 0; index < POSTED; index += 1) {
    if (index <= 2) await waitUntil(() => rests() >= index, { what: 'A statement that rests' })
    answers.push(post(server, `lead-${index}`))
  }
  return await Promise.all(answers)
}

/** Repeats the requests that got no answer, as a source does. */
async function repeatUnanswered(point: CrashPoint, answers: readonly Answer[]): Promise<Answer[]> {
  const server = await point.server()
  const repeated: Answer[] = []
  for (const [index, answer] of answers.entries())
    if (answer === undefined) repeated.push(await point.post(server, `lead-${index}`))
  return repeated
}

const countUnmarked = async ({ pipeline: { db } }: CrashPoint): Promise<number> => {
  const { rows } = await sql`select from events where enqueued_at is null`.execute(db)
  return rows.length
}

test.concurrent('19: the API dies after it committed the leads of many requests and answered none; repeated requests get those leads', async (context) => {
  const point = await setUpCrashPoint(context)
  const doomed = await point.server({ FAILPOINTS: `${REST},after-commit=exit*3` })
  const answers = await postGathered(point, doomed)
  await doomed.ended()
  const { leads } = await point.ledger()
  const unanswered = answers.filter((answer) => answer === undefined)
  expect(leads).toBe(POSTED)
  expect(unanswered).toHaveLength(POSTED - 2)

  await point.pipeline.startWorker()
  const repeated = await repeatUnanswered(point, answers)
  expect(repeated.map((answer) => answer?.status)).toEqual(unanswered.map(() => 200))
  await expectEachDelivered(point, POSTED, { underWay: 0, withinMs: WITHIN.aLook })
  expect(await point.ledger()).toMatchObject({ leads: POSTED, events: POSTED })
})

test.concurrent('20: the API dies after it answered a lead and before it told Redis; the relay enqueues the event', async (context) => {
  const point = await setUpCrashPoint(context)
  const doomed = await point.server({ FAILPOINTS: 'before-enqueue=exit' })
  expect(await point.post(doomed)).toMatchObject({ status: 201 })
  await doomed.ended()
  expect(await point.queue(LEAD_EVENTS_QUEUE).getJobCountByTypes(...OPEN)).toBe(0)

  await point.pipeline.startWorker()
  await expectEachDelivered(point, 1, { underWay: 0, withinMs: WITHIN.aLook })
})

test.concurrent('21: a relay dies after it enqueued the events of one queue and not those of the other; each event is planned once', async (context) => {
  const point = await setUpCrashPoint(context)
  // More leads than a client's token bucket holds (core/fairness/priorities.ts).
  const LEADS = 140
  for (let index = 0; index < LEADS; index += 1) await givenLead(point.pipeline.db, point.client)
  const doomed = await point.worker({ FAILPOINTS: 'after-enqueue=exit' })
  await doomed.ended()
  const countJobs = (name: string) => point.queue(name).getJobCountByTypes(...OPEN)
  expect(await countJobs(LEAD_EVENTS_QUEUE)).toBeGreaterThan(0)
  expect(await countJobs(EVENT_BURSTS_QUEUE)).toBe(0)
  expect(await countUnmarked(point)).toBe(LEADS)

  await point.pipeline.startWorker()
  await expectEachDelivered(point, LEADS, { underWay: 0, withinMs: WITHIN.aLock })
})

test.concurrent('22: the API dies before it marks the events of one job as enqueued; each event is planned once', async (context) => {
  const point = await setUpCrashPoint(context)
  // The first pass marks the events of the two earlier statements.
  const doomed = await point.server({ FAILPOINTS: `${REST},before-mark=exit*2` })
  const answers = await postGathered(point, doomed)
  await doomed.ended()
  expect(await countUnmarked(point)).toBeGreaterThan(1)
  const jobs = await point.queue(LEAD_EVENTS_QUEUE).getJobs([...OPEN])
  const further = jobs.map(({ data }) => eventJobSchema.parse(data).further_event_ids)
  expect(further.some((ids) => ids !== undefined)).toBe(true)

  await point.pipeline.startWorker()
  await repeatUnanswered(point, answers)
  await expectEachDelivered(point, POSTED, { underWay: 0, withinMs: WITHIN.aLook })
  expect(await point.ledger()).toMatchObject({ leads: POSTED, events: POSTED })
})

test.concurrent('23: a worker dies with the job of many events before it plans any of them; the job runs again', async (context) => {
  const point = await setUpCrashPoint(context)
  const doomed = await point.worker({ FAILPOINTS: 'before-plan=exit' })
  await enqueueTogether(point, 25)
  expect(await watchDeath(point, doomed)).toBe(0)
  expect(await point.ledger()).toMatchObject({ events: 25, deliveries: {} })

  await point.pipeline.startWorker()
  await expectEachDelivered(point, 25, { underWay: 0, withinMs: WITHIN.aLock })
})

import { BaseAdapter } from '@bull-board/api/dist/queueAdapters/base.js'
import type { JobCounts, JobStatus, QueueJob, QueueWorker, Status } from '@bull-board/api/typings/app'
import {
  QUEUE_STATES,
  type QueueCounts,
  type Queues,
  type QueueState,
} from '#core/contract/operations/queues.ts'
import type { BoardAttempt, BoardDelivery, BoardPage } from '#core/data/operations/board-deliveries.ts'
import { describeAttempt, describeJob } from './describe-job.ts'

/** Reads the deliveries of one shard for the dashboard. */
export interface DeliveriesReader {
  /** of all shards */
  readQueues: () => Promise<Queues>
  list: (page: Pick<BoardPage, 'state' | 'start' | 'limit'>) => Promise<BoardDelivery[]>
  find: (id: string) => Promise<BoardDelivery | undefined>
  listAttempts: (id: string) => Promise<BoardAttempt[]>
}

const HELP =
  'Deliveries as PostgreSQL has them. Waiting: due. Active: a worker has it. Delayed: a retry is planned, or it is held. Failed: dead letters. Completed: the last hour.'

/**
 * The deliveries of one shard as a queue of the dashboard. It only reads: the dashboard's adapters hear neither who acts
 * nor why, so act-on-board.ts answers its actions before they come here.
 */
export class DeliveriesAdapter extends BaseAdapter {
  private readonly queue: string
  private readonly reader: DeliveriesReader
  private counts: QueueCounts | undefined

  constructor(queue: string, reader: DeliveriesReader) {
    super('bullmq', {
      allowRetries: true,
      externalJobUrl: ({ id, data }) => ({
        displayText: 'Administration',
        href: hrefOf(id, (data as { lead_id: string | null }).lead_id),
      }),
    })
    this.queue = queue
    this.reader = reader
  }

  getName(): string {
    return this.queue
  }

  /** The dashboard shows plain numbers, so this says which of them are only the limit of counting. */
  override getDescription(): string {
    const full = QUEUE_STATES.filter((state) => this.counts?.[state].more)
    return full.length === 0 ? HELP : `${HELP} There are more ${full.join(' and ')} than counted: 100,000+.`
  }

  getStatuses(): Status[] {
    return ['latest', ...QUEUE_STATES]
  }

  getJobStatuses(): JobStatus[] {
    return [...QUEUE_STATES]
  }

  async getJobCounts(): Promise<JobCounts> {
    const { shards } = await this.reader.readQueues()
    this.counts = shards.find(({ queue }) => queue === this.queue)?.counts
    const { counts } = this
    return Object.fromEntries(QUEUE_STATES.map((state) => [state, counts?.[state].count ?? 0]))
  }

  async getJobs(statuses: JobStatus[], start = 0, end = 0): Promise<QueueJob[]> {
    const states = statuses.filter((status): status is QueueState =>
      QUEUE_STATES.some((one) => one === status),
    )
    const limit = end - start + 1
    const pages = await Promise.all(states.map((state) => this.reader.list({ state, start, limit })))
    return pages.flat().map(makeJob)
  }

  async getJob(id: string): Promise<QueueJob | undefined> {
    const found = await this.reader.find(id)
    return found === undefined ? undefined : makeJob(found)
  }

  async getJobLogs(id: string): Promise<string[]> {
    return (await this.reader.listAttempts(id)).map(describeAttempt)
  }

  override async getWorkers(): Promise<QueueWorker[] | null> {
    // Redis knows how many workers run, and not their addresses.
    return (await this.reader.readQueues()).workers?.count === 0 ? [] : null
  }

  getRedisInfo(): Promise<null> {
    return Promise.resolve(null)
  }

  isPaused(): Promise<boolean> {
    return this.reader.readQueues().then(({ problems }) => problems.some(({ code }) => code === 'paused'))
  }

  getMetrics() {
    return Promise.resolve({ meta: { count: 0, prevTS: 0, prevCount: 0 }, data: [], count: 0 })
  }

  getJobSchedulers(): Promise<[]> {
    return Promise.resolve([])
  }

  getJobSchedulersCount(): Promise<number> {
    return Promise.resolve(0)
  }

  getGlobalConcurrency(): Promise<null> {
    return Promise.resolve(null)
  }

  clean = refuse
  addJob = refuse
  pause = refuse
  resume = refuse
  empty = refuse
  obliterate = refuse
  promoteAll = refuse
  removeJobScheduler = refuse
  updateJobScheduler = refuse
  runJobSchedulerNow = refuse
  setGlobalConcurrency = refuse
}

/** None of these is reached: act-on-board.ts refuses them first. */
function refuse(): Promise<never> {
  return Promise.reject(new Error('The queue dashboard changes nothing here'))
}

function makeJob(delivery: BoardDelivery): QueueJob {
  return {
    opts: {},
    toJSON: () => describeJob(delivery),
    getState: () => Promise.resolve(delivery.queue_state ?? 'unknown'),
    promote: refuse,
    remove: refuse,
    retry: refuse,
  }
}

/** The page of a delivery's lead; some events beside the lead have none. */
function hrefOf(id: unknown, lead: string | null): string {
  return lead === null ? '/admin/deliveries' : `/admin/leads/${lead}?delivery=${String(id)}`
}

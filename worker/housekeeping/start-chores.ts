import { noteMarketRuns } from '#core/data/market/sale/market-absences.ts'
import { lookAtLowAccounts } from '#core/data/market/client-funding.ts'
import { endAtProvider } from '#core/use-cases/market/money/end-at-provider.ts'
import type { Alone } from '../alone/open-alone.ts'
import type { QueueWorkers } from '../queues/queue-workers.ts'
import { followPause } from '../dispatch/follow-pause.ts'
import { createPollForDue } from '../dispatch/poll-for-due.ts'
import type { Dispatcher } from '../dispatch/open-dispatcher.ts'
import type { Stages } from '../pipeline/open-stages.ts'
import type { WorkerContext } from '../context.ts'
import { judgeEndpoints } from './endpoints/judge-endpoints.ts'
import { releaseDeliveries } from './endpoints/release-deliveries.ts'
import { watchEndpoints } from './endpoints/watch-endpoints.ts'
import { removeOverFiles } from './files/remove-over-files.ts'
import { createSendMails } from './mail/send-mails.ts'
import { createHearLeftShards } from './repair/hear-left-shards.ts'
import { comparePayments } from './market/compare-payments.ts'
import { judgeFunding } from './market/judge-funding.ts'
import { makeCharges } from './market/make-charges.ts'
import { createReadImports } from './imports/read-imports.ts'
import { createTakeImports } from './imports/take-imports.ts'
import { createOfferAgain } from './market/offer-again.ts'
import { createSettleUndelivered } from './market/settle-undelivered.ts'
import { tellCaps } from './notices/tell-caps.ts'
import { tellNewLeads } from './notices/tell-new-leads.ts'
import { tellStatements } from './notices/tell-statements.ts'
import { tellWeeks } from './notices/tell-weeks.ts'
import { createRebuildQueues } from './repair/rebuild-queues.ts'
import { createRelayEvents, UNPLANNED_SECONDS } from './repair/relay-events.ts'
import { makePartitions } from './retention/make-partitions.ts'
import { createLookForWork } from './look-for-work.ts'
import { runEvery } from './run-every.ts'
import { sumHours } from './watch/sum-hours.ts'
import { createTellPresence } from './watch/tell-presence.ts'
import { createWatchClock } from './watch/watch-clock.ts'
import { createWatchLiveness } from './watch/watch-liveness.ts'

/** A chore: its name in the log, the time between two runs, and what it does. */
type Chore = readonly [name: string, everyMs: number, run: (signal: AbortSignal) => Promise<void>]

/**
 * Starts every chore of a worker: one line each. Any number of workers may run each of them at once. Chores that often
 * find nothing to do share one query, so an idle worker asks PostgreSQL one question a second.
 * @param giveUp ends a process that no longer works, so that its supervisor starts another
 * @returns `stop` waits for chores under way; `leave` is to be called before the rest of the worker stops
 */
export function startChores(
  context: WorkerContext,
  {
    workers,
    dispatcher,
    alone,
    ordersOf,
    assign,
  }: {
    workers: Pick<QueueWorkers, 'pulses' | 'replace'>
    dispatcher: Pick<Dispatcher, 'setWorkerCount' | 'notify' | 'pause' | 'pulse'>
    alone: Pick<Alone, 'look' | 'pause'>
    ordersOf: Stages['ordersOf']
    assign: Stages['assign']
  },
  giveUp: () => void,
): { leave: () => Promise<void>; stop: () => Promise<void> } {
  const { config, logger } = context
  const every = config.housekeeping
  const { rebuildQueues, stop: stopHeartbeat } = createRebuildQueues(context)
  const { hearLeftShards, stop: stopHearing } = createHearLeftShards(context, ordersOf)
  const { sendMails, settle: settleMails } = createSendMails(context)
  const { look, onlyFor, loadedFor } = createLookForWork(context, {
    unplannedSeconds: UNPLANNED_SECONDS,
  })
  const isLate = async (): Promise<boolean> => {
    const { due, unplanned } = await look()
    return due || unplanned
  }
  const { tellPresence, leave, stop: stopPresence } = createTellPresence(context, dispatcher)
  const looks = Math.ceil((config.watchdogSeconds * 1000) / every.watchLivenessMs)
  const chores: Chore[] = [
    ['rebuild-queues', every.rebuildQueuesMs, rebuildQueues],
    ['relay-events', every.relayEventsMs, onlyFor(['unenqueued', 'unplanned'], createRelayEvents(context))],
    ['hear-left-shards', every.hearLeftShardsMs, hearLeftShards],
    ['follow-pause', every.lookForDueMs, () => followPause(context, [dispatcher, alone])],
    ['look-for-due', every.lookForDueMs, onlyFor(['due'], createPollForDue(context, dispatcher))],
    ['send-alone', every.lookForDueMs, onlyFor(['alone'], () => alone.look())],
    [
      'watch-liveness',
      every.watchLivenessMs,
      createWatchLiveness(context, workers, { sends: dispatcher.pulse, looks, giveUp, isLate }),
    ],
    ['tell-presence', every.tellPresenceMs, tellPresence],
    ['send-mails', every.sendMailsMs, onlyFor(['mails'], sendMails)],
    ['offer-again', every.offerAgainMs, onlyFor(['unsold'], createOfferAgain(context, assign))],
    ['note-market-runs', every.noteMarketRunsMs, () => noteMarketRuns(context.db)],
    [
      'settle-undelivered',
      every.settleUndeliveredMs,
      onlyFor(['undelivered'], createSettleUndelivered(context)),
    ],
    [
      'recall-leads',
      every.recallLeadsMs,
      loadedFor(['recalls'], async () =>
        (await import('./market/recall-leads.ts')).createRecallLeads(context),
      ),
    ],
    [
      'credit-late-leads',
      every.creditLateLeadsMs,
      loadedFor(['late'], async () =>
        (await import('./market/credit-late-leads.ts')).createCreditLateLeads(context),
      ),
    ],
    ['watch-clock', every.watchClockMs, createWatchClock(context)],
    ['judge-funding', every.judgeFundingMs, onlyFor(['funding'], (signal) => judgeFunding(context, signal))],
    ['make-charges', every.makeChargesMs, onlyFor(['charges'], (signal) => makeCharges(context, signal))],
    [
      'end-at-provider',
      every.makeChargesMs,
      onlyFor(['provider_ends'], (signal) => endAtProvider(context, { signal })),
    ],
    [
      'store-receipts',
      every.storeReceiptsMs,
      loadedFor(['receipts'], async () =>
        (await import('./market/store-receipts.ts')).createStoreReceipts(context),
      ),
    ],
    ['look-at-low-accounts', every.lookAtLowAccountsMs, () => lookAtLowAccounts(context.db)],
    ['tell-new-leads', every.tellNewLeadsMs, () => tellNewLeads(context)],
    [
      'note-receipts',
      every.noteReceiptsMs,
      loadedFor(['revocations'], async () => {
        const { noteRevocationReceipts } = await import('./notices/note-receipts.ts')
        return () => noteRevocationReceipts(context)
      }),
    ],
    ['tell-caps', every.tellCapsMs, () => tellCaps(context)],
    ['tell-weeks', every.tellWeeksMs, (signal) => tellWeeks(context, signal)],
    ['tell-statements', every.tellStatementsMs, (signal) => tellStatements(context, signal)],
    ['compare-payments', every.comparePaymentsMs, () => comparePayments(context)],
    ['sum-hours', every.sumHoursMs, (signal) => sumHours(context, signal)],
    ['read-imports', every.readImportsMs, onlyFor(['imports'], createReadImports(context))],
    ['take-imports', every.takeImportsMs, onlyFor(['imports'], createTakeImports(context))],
    [
      'make-exports',
      every.makeExportsMs,
      loadedFor(['exports'], async () =>
        (await import('./exports/make-exports.ts')).createMakeExports(context),
      ),
    ],
    [
      'certify-endpoints',
      every.certifyEndpointsMs,
      loadedFor(['certifications'], async () =>
        (await import('./certifications/certify-endpoints.ts')).createCertifyEndpoints(context),
      ),
    ],
    ['release-deliveries', every.releaseDeliveriesMs, onlyFor(['held'], () => releaseDeliveries(context))],
    ['watch-endpoints', every.watchEndpointsMs, () => watchEndpoints(context)],
    ['judge-endpoints', every.judgeEndpointsMs, () => judgeEndpoints(context)],
    ['make-partitions', every.makePartitionsMs, () => makePartitions(context)],
    [
      'remove-old-rows',
      every.removeOldRowsMs,
      async () => (await import('./retention/remove-old-rows.ts')).removeOldRows(context),
    ],
    [
      'remove-by-age',
      every.removeByAgeMs,
      // Loaded after the start, which it would delay.
      async (signal) => (await import('./retention/remove-by-age.ts')).removeOldRecords(context, signal),
    ],
    ['remove-over-files', every.removeOverFilesMs, (signal) => removeOverFiles(context, signal)],
  ]
  const stops = chores.map(([name, everyMs, run]) => runEvery(name, everyMs, logger, run))
  return {
    leave,
    stop: async () => {
      await Promise.all(stops.map((stop) => stop()))
      await stopHearing()
      await settleMails()
      await stopHeartbeat()
      await stopPresence()
    },
  }
}

import { DISPATCH } from '../fairness/limits.ts'

/** Milliseconds between two runs of each of a worker's chores. worker/housekeeping/ explains them. */
const PERIODS_MS = {
  rebuildQueuesMs: 1000,
  relayEventsMs: 1000,
  hearLeftShardsMs: 2000,
  lookForDueMs: DISPATCH.lookEveryMs,
  watchLivenessMs: 5000,
  tellPresenceMs: 3000,
  sendMailsMs: 2000,
  offerAgainMs: 1000,
  noteMarketRunsMs: 10_000,
  settleUndeliveredMs: 1000,
  recallLeadsMs: 1000,
  creditLateLeadsMs: 1000,
  watchClockMs: 5000,
  judgeFundingMs: 1000,
  makeChargesMs: 1000,
  lookAtLowAccountsMs: 60_000,
  tellNewLeadsMs: 10_000,
  /** a webhook's 2xx shows as a receipt within this time */
  noteReceiptsMs: 5000,
  tellCapsMs: 60_000,
  tellWeeksMs: 300_000,
  tellStatementsMs: 300_000,
  comparePaymentsMs: 600_000,
  sumHoursMs: 60_000,
  readImportsMs: 1000,
  takeImportsMs: 1000,
  makeExportsMs: 1000,
  certifyEndpointsMs: 1000,
  storeReceiptsMs: 2000,
  releaseDeliveriesMs: 1000,
  watchEndpointsMs: 400,
  judgeEndpointsMs: 5000,
  makePartitionsMs: 6 * 3600 * 1000,
  removeOldRowsMs: 3600 * 1000,
  removeByAgeMs: 600 * 1000,
  removeOverFilesMs: 60_000,
}

export type HousekeepingPeriods = Readonly<typeof PERIODS_MS>

/** @param pace HOUSEKEEPING_PACE: how many times as often as by default they run */
export function paceHousekeeping(pace: number): HousekeepingPeriods {
  const paced = Object.entries(PERIODS_MS).map(([chore, ms]) => [chore, Math.round(ms / pace)])
  return Object.fromEntries(paced) as HousekeepingPeriods
}

import type { Scenario } from './scenario.ts'
import { breakEndpoints } from './scenarios/break-endpoints.ts'
import { breakPostgres } from './scenarios/break-postgres.ts'
import { breakTheMarket } from './scenarios/break-the-market.ts'
import { breakTheWayOut } from './scenarios/break-the-way-out.ts'
import { breakTimeAndLine } from './scenarios/break-time-and-line.ts'
import { breakRedis } from './scenarios/break-redis.ts'
import { breakTheCarrier } from './scenarios/break-the-carrier.ts'
import { killProcesses } from './scenarios/kill-processes.ts'
import { letWorkersSleep } from './scenarios/let-workers-sleep.ts'
import { scale } from './scenarios/scale.ts'

/** All scenarios, in the order of their numbers. */
export const SCENARIOS: readonly Scenario[] = [
  ...killProcesses,
  ...letWorkersSleep,
  ...breakTheCarrier,
  ...breakRedis,
  ...breakPostgres,
  ...breakEndpoints,
  ...breakTheWayOut,
  ...breakTimeAndLine,
  ...scale,
  ...breakTheMarket,
].toSorted((one, other) => numberOf(one) - numberOf(other))

function numberOf({ id }: Scenario): number {
  return Number(id.slice(1))
}

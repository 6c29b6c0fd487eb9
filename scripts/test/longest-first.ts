import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** The files that npm test listed as its slowest. A long one that begins last delays the whole run. */
const LONG = [
  'pipeline/send/beside-cases',
  'pipeline/crash-points/carry',
  'pipeline/repair/chaos',
  'pipeline/repair/redis-cluster',
  'pipeline/crash-points/send',
  'pipeline/crash-points/import',
  'pipeline/crash-points/attempt',
  'pipeline/market/concurrency',
  'pipeline/repair/redis-cluster-shards',
  'pipeline/endpoint/bad-endpoints',
  'pipeline/crash-points/lease',
  'pipeline/repair/liveness',
  'pipeline/crash-points/assign',
  'pipeline/crash-points/undelivered',
  'pipeline/market/stage',
  'pipeline/crash-points/services',
  'pipeline/repair/recovery',
  'pipeline/send/schedule',
  'pipeline/send/fairness',
  'pipeline/data/migrations',
  'pipeline/send/breaker',
  'pipeline/crash-points/plan',
  'pipeline/send/hostile-crowd',
  'pipeline/market/undelivered',
  'pipeline/send/order-of-clients',
  'pipeline/crash-points/gathered',
  'pipeline/send/killed-worker',
  'pipeline/crash-points/ingest',
  'http/accounts/codes/guessing',
  'http/operations/newcomers-minute',
  'http/operations/process/stop-limit',
  'http/operations/process/server-process',
  'http/operations/process/schema-at-start',
  'http/site/samples',
  'http/accounts/providers/endless-issuer',
  'http/market/decision',
  'http/market/undelivered',
  'http/accounts/guards/late-answer',
  'http/accounts/wire/wire-table',
  'http/operations/process/silent-logs',
  'unit/market/choose-order',
  'unit/webhooks/template/same-bytes',
  'unit/imports/csv-properties',
  'unit/market/schedule',
  'unit/webhooks/sending/sending-hours',
  'unit/scripts/faulty-environment',
  'unit/site/openapi',
]

function rank({ moduleId }: TestSpecification): number {
  const place = LONG.findIndex((name) => moduleId.endsWith(`/tests/${name}.test.ts`))
  return place === -1 ? LONG.length : place
}

/** A class, because vitest constructs it. The other files follow in vitest's own order. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    // oxlint-disable-next-line unicorn/no-array-sort -- this is not an array's method
    return (await super.sort(files)).toSorted((a, b) => rank(a) - rank(b))
  }
}

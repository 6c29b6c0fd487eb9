import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Which npm test named as its slowest files. A long one that begins last keeps everybody waiting. */
const LONG = [
  'pipeline/send/beside-cases',
  'pipeline/crash-points/carry',
  'pipeline/repair/chaos',
  'pipeline/crash-points/services',
  'pipeline/repair/redis-cluster',
  'pipeline/market/concurrency',
  'pipeline/crash-points/send',
  'pipeline/crash-points/attempt',
  'pipeline/repair/redis-cluster-shards',
  'pipeline/crash-points/import',
  'pipeline/repair/liveness',
  'pipeline/crash-points/lease',
  'pipeline/crash-points/gathered',
  'pipeline/crash-points/plan',
  'pipeline/endpoint/bad-endpoints',
  'pipeline/send/schedule',
  'pipeline/send/breaker',
  'pipeline/send/fairness',
  'pipeline/send/killed-worker',
  'pipeline/repair/recovery',
  'pipeline/crash-points/ingest',
  'http/operations/server-process',
  'http/accounts/codes/guessing',
  'http/operations/stop-limit',
  'http/operations/schema-at-start',
  'http/operations/newcomers-minute',
  'http/accounts/wire/wire-table',
  'http/accounts/providers/endless-issuer',
  'http/operations/silent-logs',
  'http/accounts/guards/late-answer',
  'unit/market/schedule',
  'unit/fairness/simulation',
  'unit/imports/csv-properties',
]

function rank({ moduleId }: TestSpecification): number {
  const place = LONG.findIndex((name) => moduleId.endsWith(`/tests/${name}.test.ts`))
  return place === -1 ? LONG.length : place
}

/** A class, because vitest makes it. The other files follow in vitest's own order. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    // oxlint-disable-next-line unicorn/no-array-sort -- not an array's
    return (await super.sort(files)).toSorted((a, b) => rank(a) - rank(b))
  }
}

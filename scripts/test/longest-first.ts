import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Which npm test named as its slowest files. A long one that begins last keeps everybody waiting. */
const LONG = [
  'pipeline/repair/redis-cluster',
  'pipeline/repair/redis-cluster-shards',
  'pipeline/crash-points/services',
  'pipeline/crash-points/send',
  'pipeline/crash-points/attempt',
  'pipeline/crash-points/carry',
  'pipeline/crash-points/gathered',
  'pipeline/repair/chaos',
  'pipeline/send/fairness',
  'pipeline/crash-points/plan',
  'pipeline/repair/recovery',
  'pipeline/repair/liveness',
  'pipeline/send/breaker',
  'pipeline/crash-points/ingest',
  'pipeline/endpoint/bad-endpoints',
  'http/accounts/codes/guessing',
  'http/accounts/wire/wire-table',
  'http/operations/server-process',
  'http/operations/silent-logs',
  'http/accounts/guards/late-answer',
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

import { expect, test } from 'vitest'
import { chaosMarkdown } from '#scripts/chaos/report.ts'

const RESULT = {
  id: 'S1',
  name: 'kill',
  skipped: null,
  offered: 4800,
  verdict: {
    acked: 4800,
    delivered: 4800,
    lost: 0,
    repeatsAllowed: 2850,
    repeatsSeen: 147,
    healthyP99Ms: 32.4,
    violations: [],
  },
  recoverySeconds: 1.25,
  faults: [],
  figures: { 'longest until sent again': '25.3 s' },
  notes: [],
  folder: '',
}

test('a run is reported as a table with one row per scenario, and its faults first', () => {
  const failed = {
    ...RESULT,
    id: 'S2',
    verdict: null,
    recoverySeconds: null,
    figures: {},
    faults: ['I1: 1 | 2\nlost'],
  }
  expect(chaosMarkdown([RESULT, failed]).split('\n')).toEqual([
    '|  | acknowledged | delivered | lost | repeats excusable / seen | recovered in | figures |',
    '| --- | --- | --- | --- | --- | --- | --- |',
    '| S1 | 4,800 | 4,800 | 0 | 2,850 / 147 | 1.3 s | healthy p99 32 ms; longest until sent again 25.3 s |',
    String.raw`| S2 |  |  |  |  |  | **I1: 1 \| 2 lost** |`,
    '',
  ])
})

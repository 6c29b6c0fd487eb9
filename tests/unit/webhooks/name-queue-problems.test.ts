import { describe, expect, test } from 'vitest'
import { nameQueueProblems, type QueueSituation } from '#core/domain/webhooks/name-queue-problems.ts'

const FINE: QueueSituation = {
  workers: { count: 2, slots: 200 },
  is_paused: false,
  oldest_due_seconds: 3,
  failing: { hosts: [['crm.example.com', 19]], more: false },
  silent: { hosts: [], held: 0, more: false },
}
const sentences = (change: Partial<QueueSituation>) =>
  nameQueueProblems({ ...FINE, ...change }).map(({ sentence }) => sentence)

describe('what is wrong with the queues', () => {
  test('is nothing while workers run, nothing waits for long and few attempts fail', () => {
    expect(nameQueueProblems(FINE)).toEqual([])
  })

  test.each<[Partial<QueueSituation>, string]>([
    [
      { workers: null },
      'Redis does not answer. Leads are stored meanwhile, and deliveries go on without it.',
    ],
    [{ workers: { count: 0, slots: 0 } }, 'No worker runs, so nothing is sent. Start a worker.'],
    [{ is_paused: true }, 'Sending is paused in Redis, so no worker begins a delivery.'],
    [{ oldest_due_seconds: 61 }, 'The oldest due delivery has waited for 61 seconds.'],
    [{ oldest_due_seconds: 7199 }, 'The oldest due delivery has waited for 119 minutes.'],
    [{ oldest_due_seconds: 7200 }, 'The oldest due delivery has waited for 2 hours.'],
    [{ oldest_due_seconds: 200_000 }, 'The oldest due delivery has waited for 2 days.'],
    [
      { failing: { hosts: [['crm.example.com', 1234]], more: false } },
      'Many attempts fail: 1,234 deliveries wait for a retry or finally failed in the last hour, all to crm.example.com.',
    ],
    [
      {
        failing: {
          hosts: [
            ['a.example.com', 5],
            ['b.example.com', 100_001],
          ],
          more: true,
        },
      },
      'Many attempts fail: 100,006+ deliveries wait for a retry or finally failed in the last hour, 100,001 of them to b.example.com.',
    ],
    [
      { silent: { hosts: ['crm.example.com'], held: 1, more: false } },
      'crm.example.com does not answer, so 1 delivery is held until a single try gets an answer.',
    ],
    [
      { silent: { hosts: ['a.example.com', 'b.example.com'], held: 12, more: false } },
      '2 endpoints do not answer, so 12 deliveries are held until a single try gets an answer.',
    ],
  ])('%j: %s', (change, sentence) => {
    expect(sentences(change)).toEqual([sentence])
  })

  test('what concerns all clients comes first', () => {
    const problems = nameQueueProblems({
      ...FINE,
      workers: { count: 0, slots: 0 },
      oldest_due_seconds: 90,
      failing: { hosts: [['crm.example.com', 20]], more: false },
    })
    expect(problems.map(({ code, is_severe: isSevere }) => [code, isSevere])).toEqual([
      ['no_worker', true],
      ['overdue', true],
      ['failing', false],
    ])
  })
})

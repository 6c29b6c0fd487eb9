import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import type { ClaimedDelivery } from '#core/data/webhooks/deliveries/claim-deliveries.ts'
import { uuidAt } from '#core/domain/uuid-at.ts'
import { createLowPriorityLimiter } from '#worker/dispatch/limit-low-priority.ts'
import { LOW_PRIORITY, DISPATCH } from '#core/fairness/limits.ts'
import { createSlotPool } from '#worker/dispatch/slot-pool.ts'
import { createWaitingClients } from '#worker/dispatch/waiting-clients.ts'
import { createNoteClaimed } from '#worker/dispatch/note-claimed.ts'

const MOST = 900
const FEW = 5
/** A shared time, in milliseconds since the epoch. */
const SHARED_MS = 1_000_000

/** A worker whose clock is set by hand. */
function startNoting() {
  let time = 0
  const now = () => time
  const pass = (ms: number) => {
    time += ms
  }
  const lowPriority = createLowPriorityLimiter({ most: MOST, start: MOST, least: 50, now })
  const noteClaimed = createNoteClaimed(lowPriority, now)
  const slotPool = createSlotPool({ slots: 100, limit: 100, now })
  slotPool.recall('endpoint', 'proved')
  const waiting = createWaitingClients(slotPool)

  /** Claims deliveries of a client with as many slots. */
  const claim = (client: string, deliveries: readonly ClaimedDelivery[]) => {
    waiting.notify(client, 'endpoint', deliveries.length)
    const [grant] = waiting.allot(deliveries.length)
    if (grant === undefined) throw new Error('no slot was free')
    waiting.settle(grant, 0)
    return noteClaimed(grant, deliveries, time)
  }
  /** Simulates first attempts of a client with these times until the answer and until the record. */
  const makeFirst = (
    client: string,
    {
      ours,
      record = 0,
      planned = 0,
      ...fields
    }: Partial<ClaimedDelivery> & { ours: number; record?: number; planned?: number },
  ) => {
    const begun = claim(client, delivered(FEW, { event_id: madeAt(-planned), ...fields }))
    pass(ours)
    for (const { slot } of begun) slot.leave()
    pass(record)
    for (const { slot, noteEnd } of begun) {
      slot.leave()
      noteEnd(0)
    }
    return lowPriority.adjust()
  }
  return { lowPriority, claim, makeFirst, pass }
}

/** Returns the id of a row made some milliseconds after the shared time. */
const madeAt = (ms: number): string => uuidAt(new Date(SHARED_MS + ms), randomUUID())

const delivered = (count: number, fields: Partial<ClaimedDelivery> = {}): ClaimedDelivery[] =>
  Array.from({ length: count }, () => ({
    delivery_id: madeAt(0),
    lease_token: '',
    sequence: null,
    attempt: 1,
    turn: 0,
    event_id: madeAt(0),
    event_type: 'lead.created',
    client_user_id: '',
    webhook_config_id: 'endpoint',
    is_probe: false,
    is_resend: false,
    was_put_off: false,
    due_at: new Date(0),
    config_version: '1',
    lead_id: '',
    lead: '{}',
    claimed_at: new Date(SHARED_MS),
    ...fields,
  }))

it('counts a first attempt’s wait until its answer, however long its record takes', () => {
  const { makeFirst } = startNoting()
  makeFirst('modest', { ours: 3 })
  expect(makeFirst('modest', { ours: 3, record: 900 })).toBe(MOST)
  expect(makeFirst('modest', { ours: 40 })).toBe(MOST / 2)
})

it('counts the event’s wait for planning too, but not that of a resend', () => {
  const { makeFirst } = startNoting()
  makeFirst('modest', { ours: 3 })
  expect(makeFirst('modest', { ours: 3, planned: 900, is_resend: true })).toBe(MOST)
  expect(makeFirst('modest', { ours: 3, planned: 37 })).toBe(MOST / 2)
})

it.each<[string, Partial<ClaimedDelivery> & { planned: number }]>([
  ['because something was away', { planned: LOW_PRIORITY.longAgoMs }],
  ['of what was held for long', { planned: 37, claimed_at: new Date(SHARED_MS + LOW_PRIORITY.longAgoMs) }],
  ['of a probe', { planned: 37, is_probe: true }],
  ['by a clock that went back', { planned: -37 }],
])('ignores the wait for planning %s', (_what, fields) => {
  const { makeFirst } = startNoting()
  makeFirst('modest', { ours: 3 })
  expect(makeFirst('modest', { ours: 3, ...fields })).toBe(MOST)
})

it('ignores attempts that were not sent', () => {
  const { lowPriority, makeFirst, claim, pass } = startNoting()
  makeFirst('modest', { ours: 3 })
  const begun = claim('modest', delivered(FEW))
  pass(400)
  for (const { slot, noteEnd } of begun) {
    slot.leave()
    noteEnd(undefined)
  }
  expect(lowPriority.adjust()).toBe(MOST)
})

it.each<[string, Partial<ClaimedDelivery>, number]>([
  ['first attempts', {}, 0],
  ['retries', { attempt: 2 }, FEW],
  ['the excess of a burst', { turn: 1 }, FEW],
  ['probes, whatever they are', { attempt: 2, turn: 1, is_probe: true }, 0],
])('counts low-priority starts: %s', (_what, fields, giving) => {
  const { lowPriority, claim, makeFirst } = startNoting()
  makeFirst('modest', { ours: 3 })
  makeFirst('modest', { ours: 40 })
  const before = lowPriority.allowance()
  claim('another', delivered(FEW, fields))
  expect(before - lowPriority.allowance()).toBe(giving)
})

it('ignores the waits of a client above its share', () => {
  const { makeFirst, claim } = startNoting()
  makeFirst('modest', { ours: 3 })
  claim('greedy', delivered(DISPATCH.share + 1))
  expect(makeFirst('greedy', { ours: 400 })).toBe(MOST)
  expect(makeFirst('modest', { ours: 400 })).toBe(MOST / 2)
})

it('counts the time of a statement that both plans and claims only once', () => {
  const { makeFirst } = startNoting()
  makeFirst('modest', { ours: 3 })
  // Ten of the twelve milliseconds passed before the row existed.
  expect(makeFirst('modest', { ours: 12, delivery_id: madeAt(10) })).toBe(MOST)
})

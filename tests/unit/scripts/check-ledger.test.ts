import { describe, expect, test } from 'vitest'
import { checkLedger } from '#scripts/chaos/check-ledger.ts'
import type { Ledger, Receipt } from '#scripts/chaos/ledger.ts'

const AT = 1_000_000

/** One lead of one client: accepted, planned, sent once, answered and logged. */
function soundLedger(): Ledger {
  return {
    acks: [{ externalId: 'x1', leadId: 'lead', endpoint: 0, intended: AT, ackedAt: AT + 5, tries: 1 }],
    events: [
      { id: 'e1', leadId: 'lead', type: 'lead.created', clientId: 'client', isPlanned: true },
      { id: 'e2', leadId: 'lead', type: 'lead.assigned', clientId: 'client', isPlanned: true },
    ],
    configs: [
      { id: 'config', clientId: 'client', endpoint: 0, onCreated: false, onAssigned: true },
      { id: 'other', clientId: 'stranger', endpoint: 1, onCreated: true, onAssigned: true },
    ],
    deliveries: [
      { id: 'd', eventId: 'e2', configId: 'config', leadId: 'lead', state: 'delivered', attempt: 1 },
    ],
    receipts: [receipt()],
    logs: [{ deliveryId: 'd', attempt: 1, responseStatus: 200 }],
    queues: [{ queue: 'q', waiting: 0, active: 0, delayed: 0, failed: 0, orphans: 0 }],
    ambiguous: [],
    attempts: 3,
    healthy: null,
  }
}

function receipt(changes: Partial<Receipt> = {}): Receipt {
  const usual = {
    endpoint: 0,
    eventId: 'e2',
    deliveryId: 'd',
    attempt: 1,
    at: AT + 30,
    intended: AT,
    answered: 200,
    wasCut: false,
  }
  return { ...usual, ...changes }
}

/** Returns the invariants that a changed ledger violates. */
function violated(change: (ledger: Ledger) => void): string[] {
  const ledger = soundLedger()
  change(ledger)
  return [...new Set(checkLedger(ledger).violations.map(({ invariant }) => invariant))]
}

const DELIVERY = soundLedger().deliveries[0]
const withState = (state: string, attempt: number) => (ledger: Ledger) => {
  if (DELIVERY !== undefined) ledger.deliveries = [{ ...DELIVERY, state, attempt }]
}

test('finds nothing in a sound ledger', () => {
  expect(checkLedger(soundLedger())).toEqual({
    acked: 1,
    delivered: 1,
    lost: 0,
    repeatsAllowed: 0,
    repeatsSeen: 0,
    healthyP99Ms: null,
    violations: [],
  })
})

describe('I1: an acknowledged lead has each of its events once', () => {
  test('refuses a lead without events, and counts it as lost', () => {
    const ledger = { ...soundLedger(), events: [], deliveries: [], receipts: [], logs: [] }
    expect(checkLedger(ledger)).toMatchObject({ lost: 1, delivered: 0, violations: [{ invariant: 'I1' }] })
  })
  test('refuses a lead that was stored but not assigned', () => {
    expect(violated((ledger) => ledger.events.pop())).toContain('I1')
  })
  test('refuses a ledger that has the same event twice', () => {
    const twin = { id: 'e3', leadId: 'lead', type: 'lead.created', clientId: 'client', isPlanned: true }
    expect(violated((ledger) => ledger.events.push(twin))).toEqual(['I1'])
  })
  test('refuses a repeated request that created a second lead', () => {
    const second = { externalId: 'x1', leadId: 'lead-2', endpoint: 0, intended: AT, ackedAt: AT, tries: 2 }
    const events = soundLedger().events.map((event) => ({ ...event, id: `${event.id}b`, leadId: 'lead-2' }))
    expect(
      violated((ledger) => {
        ledger.acks.push(second)
        ledger.events.push(...events)
      }),
    ).toContain('I1')
  })
})

describe('leads that are sold', () => {
  const market = (change: (ledger: Ledger) => void): Ledger => {
    const ledger: Ledger = { ...soundLedger(), isMarket: true, attempts: 1 }
    change(ledger)
    return ledger
  }
  const again = (clientId: string) => ({
    id: 'e3',
    leadId: 'lead',
    type: 'lead.assigned',
    clientId,
    isPlanned: true,
  })

  test('may belong to nobody, or to two clients one after the other', () => {
    const unsold = market((ledger) => {
      ledger.events.pop()
      ledger.deliveries = []
      ledger.receipts = []
      ledger.logs = []
    })
    expect(checkLedger(unsold)).toMatchObject({ lost: 0, delivered: 0, violations: [] })
    const passedOn = market(({ events, deliveries, receipts, logs }) => {
      events.push(again('stranger'))
      const other = {
        id: 'd2',
        eventId: 'e3',
        configId: 'other',
        leadId: 'lead',
        state: 'failed',
        attempt: 1,
      }
      deliveries.push(other)
      receipts.push(receipt({ deliveryId: 'd2', eventId: 'e3', endpoint: 1 }))
      logs.push({ deliveryId: 'd2', attempt: 1, responseStatus: 200 })
      // Configurations of administrators and other clients also get leads that come in.
      events[0] = { id: 'e1', leadId: 'lead', type: 'lead.created', clientId: null, isPlanned: true }
    })
    expect(checkLedger(passedOn)).toMatchObject({ lost: 0, delivered: 1, violations: [] })
  })
  test('are never assigned to one client twice', () => {
    const twice = market(({ events }) => events.push(again('client')))
    expect(checkLedger(twice).violations.map(({ invariant }) => invariant)).toContain('I1')
  })
})

describe('I2: every event reaches every configuration that it concerns, and no other', () => {
  test('refuses a delivery that was never planned', () => {
    expect(
      violated((ledger) => {
        ledger.deliveries = []
        ledger.receipts = []
        ledger.logs = []
      }),
    ).toEqual(['I2'])
  })
  test('refuses an event that was never marked as planned', () => {
    expect(violated(({ events }) => (events[1] = { ...events[1], isPlanned: false } as never))).toEqual([
      'I2',
    ])
  })
  test('refuses a delivery that still waits, or is held', () => {
    expect(violated(withState('pending', 1))).toEqual(['I2'])
    expect(violated(withState('held', 0))).toEqual(['I2'])
  })
  test('refuses a failed delivery with attempts left, and accepts it after the last', () => {
    expect(violated(withState('failed', 2))).toEqual(['I2'])
    expect(violated(withState('failed', 3))).toEqual([])
  })
  test('refuses a success that no endpoint recorded', () => {
    const ledger = { ...soundLedger(), receipts: [receipt({ answered: null })] }
    expect(checkLedger(ledger)).toMatchObject({ lost: 1, violations: [{ invariant: 'I2' }] })
  })
  test('refuses an event planned twice for one configuration', () => {
    expect(
      violated((ledger) => {
        if (DELIVERY !== undefined) ledger.deliveries.push({ ...DELIVERY, id: 'd2' })
      }),
    ).toEqual(['I2'])
  })
  test('refuses a request whose webhook-id is not its event’s id', () => {
    expect(violated((ledger) => (ledger.receipts = [receipt({ eventId: 'e1' })]))).toEqual(['I2'])
  })
  test("refuses a lead at another client's endpoint", () => {
    expect(violated((ledger) => ledger.receipts.push(receipt({ endpoint: 1, attempt: 2 })))).toContain('I2')
  })
})

describe('I3: only requests with an unknown result are sent again', () => {
  const again = receipt({ at: AT + 20_000 })
  const kill = { what: 'kill', from: AT + 100, until: AT + 100, inFlight: 10 }

  test('refuses a repeat without a fault', () => {
    expect(violated((ledger) => ledger.receipts.push(again))).toEqual(['I3'])
  })
  test('allows one repeat of a request in flight at a fault, and counts it', () => {
    const ledger = { ...soundLedger(), receipts: [receipt(), again], ambiguous: [kill] }
    expect(checkLedger(ledger)).toMatchObject({ repeatsAllowed: 1, repeatsSeen: 1, violations: [] })
  })
  test('refuses a second repeat for one fault', () => {
    expect(
      violated((ledger) => {
        ledger.receipts.push(receipt({ at: AT + 40 }), receipt({ at: AT + 50 }))
        ledger.ambiguous.push(kill)
      }),
    ).toEqual(['I3'])
  })
  test('refuses a repeat of a request made after the fault', () => {
    const late = { ...kill, from: AT - 60_000, until: AT - 60_000 }
    expect(
      violated((ledger) => {
        ledger.receipts.push(again)
        ledger.ambiguous.push(late)
      }),
    ).toEqual(['I3'])
  })
  test('refuses more repeats than there were requests in flight', () => {
    expect(
      violated((ledger) => {
        ledger.receipts.push(again)
        ledger.ambiguous.push({ ...kill, inFlight: 0 })
      }),
    ).toEqual(['I3'])
  })
  test('allows one repeat, and no second, if the endpoint broke the connection', () => {
    const cut = receipt({ answered: null, wasCut: true })
    expect(violated((ledger) => ledger.receipts.unshift(cut))).toEqual([])
    expect(violated((ledger) => ledger.receipts.unshift(cut, cut))).toEqual(['I3'])
  })
  test('does not count the next attempt as a repeat', () => {
    expect(
      violated((ledger) => {
        ledger.receipts.push(receipt({ attempt: 2 }))
        ledger.logs.push({ deliveryId: 'd', attempt: 2, responseStatus: 200 })
      }),
    ).toEqual([])
  })
})

describe('I4: the log has a row for every request and for no other', () => {
  test('refuses a receipt without a log row', () => {
    expect(violated((ledger) => (ledger.logs = []))).toEqual(['I4'])
  })
  test('refuses a logged answer that no endpoint gave', () => {
    expect(
      violated((ledger) => ledger.logs.push({ deliveryId: 'd', attempt: 2, responseStatus: 200 })),
    ).toEqual(['I4'])
  })
  test('allows a logged failure that never reached the endpoint', () => {
    expect(
      violated((ledger) => ledger.logs.push({ deliveryId: 'd', attempt: 2, responseStatus: null })),
    ).toEqual([])
  })
  test('refuses a request without a delivery', () => {
    expect(violated((ledger) => ledger.receipts.push(receipt({ deliveryId: 'unknown' })))).toContain('I4')
  })
})

describe('I5: no job stays in Redis', () => {
  const leftovers = ['waiting', 'active', 'delayed', 'failed', 'orphans'] as const
  for (const kind of leftovers) {
    test(`refuses a job left ${kind}`, () => {
      expect(
        violated(({ queues }) => {
          if (queues[0] !== undefined) queues[0][kind] = 1
        }),
      ).toEqual(['I5'])
    })
  }
})

describe('I6: clients without a part in the fault are not affected', () => {
  const healthy = { endpoints: [0], from: AT - 1, until: AT + 1, p99LimitMs: 25 }

  test('refuses a lead at a healthy endpoint that came too late', () => {
    const verdict = checkLedger({ ...soundLedger(), healthy })
    expect(verdict).toMatchObject({ healthyP99Ms: 30, violations: [{ invariant: 'I6' }] })
  })
  test('checks only first receipts, at healthy endpoints, within the span', () => {
    const receipts = [receipt({ at: AT + 20 }), receipt({ deliveryId: 'd9', endpoint: 1, at: AT + 900 })]
    expect(checkLedger({ ...soundLedger(), receipts, healthy }).healthyP99Ms).toBe(20)
    const elsewhere = { ...healthy, from: AT + 5, until: AT + 9 }
    expect(checkLedger({ ...soundLedger(), healthy: elsewhere }).healthyP99Ms).toBeNull()
  })
  test('refuses a span without any receipt at the healthy endpoints', () => {
    expect(
      violated((ledger) => {
        ledger.healthy = { ...healthy, from: AT + 5, until: AT + 9 }
      }),
    ).toEqual(['I6'])
  })
})

import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { faultOf, readBody, routeKnownTo } from '#scripts/chaos/beside/ask.ts'
import { checkBeside, type BesideEvidence } from '#scripts/chaos/beside/check-beside.ts'
import { groupLines, logLines, type Explained, type Writer } from '#scripts/chaos/beside/judge-logs.ts'
import type { Receipt } from '#scripts/chaos/ledger.ts'
import { latencies, longestGap } from '#scripts/lab/receiver/read-receipts.ts'

function receipt(changes: Partial<Receipt>): Receipt {
  const usual = { endpoint: 100, eventId: 'e1', deliveryId: 'd1', attempt: 1, at: 5, intended: 0 }
  return { ...usual, answered: 200, wasCut: false, ...changes }
}

test('an answer is read as JSON if it says so or has no type, and a file as text', () => {
  expect(readBody('{"a":1}', 'application/problem+json; charset=utf-8')).toEqual({ a: 1 })
  expect(readBody('{"a":1}', null)).toEqual({ a: 1 })
  expect(readBody('', 'application/json')).toBeUndefined()
  expect(readBody('id,name', 'text/csv')).toBe('id,name')
})

describe('the lines of a log', () => {
  const writer: Writer = { age: 'before', program: 'worker' }
  const open = (id: string) => ({ level: 40, msg: 'breaker open', webhook_config_id: id })
  const explained: Explained[] = [{ level: 'warn', message: /^breaker open$/, because: 'one hangs' }]
  const group = (lines: readonly unknown[], of = writer) =>
    groupLines(
      lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line))),
      of,
      explained,
    )

  test('below the level of a warning are left out', () => {
    expect(group([{ level: 30, msg: 'ready' }, ''])).toEqual([])
  })
  test('are counted by text, without ids and numbers', () => {
    const failed = (id: string, ms: number) => ({
      level: 50,
      msg: `delivery ${id} failed`,
      err: { type: 'Error', code: '40P01', message: `after ${ms} ms` },
    })
    const groups = group([
      failed('0199d0a0-1111-7000-8000-000000000001', 12),
      failed('0199d0a0-1111-7000-8000-000000000002', 400),
    ])
    expect(groups).toMatchObject([
      { level: 'error', message: 'delivery <id> failed · Error 40P01 after <n> ms', count: 2 },
    ])
  })
  test('are explained only by the list', () => {
    const groups = group([open('a'), open('b'), { level: 50, msg: 'breaker open' }])
    expect(groups.map(({ because }) => because)).toEqual(['one hangs', undefined])
    expect(logLines(groups)).toEqual([
      '1 × error, worker of the version before: breaker open (NOT EXPLAINED)',
      '2 × warn, worker of the version before: breaker open (one hangs)',
    ])
  })
  test('are explained only for the process that the list names', () => {
    const ofThis: Explained[] = [{ level: 'warn', message: /open/, of: { age: 'this' }, because: 'new' }]
    expect(groupLines([JSON.stringify(open('a'))], writer, ofThis)[0]?.because).toBeUndefined()
    expect(groupLines([JSON.stringify(open('a'))], { ...writer, age: 'this' }, ofThis)[0]?.because).toBe(
      'new',
    )
  })
  test('that are no log records need an explanation too', () => {
    expect(group(['(node:77) Warning: too many listeners'])).toMatchObject([
      { level: 'text', message: '(node:<n>) Warning: too many listeners' },
    ])
  })
})

describe('an answer that a page of the other version reads', () => {
  const answers = { 200: z.object({ rows: z.array(z.object({ id: z.string() })) }), 204: null }

  test('is sound if the page’s schema accepts it, even with extra members', () => {
    expect(faultOf({ answers }, { status: 200, body: { rows: [{ id: 'a', new: 1 }] } })).toBeUndefined()
    expect(faultOf({ answers }, { status: 204, body: undefined })).toBeUndefined()
  })
  test('is a fault if something is missing: the place is reported, the value is not', () => {
    const body = { rows: [{ id: 5, name: 'Avery' }, { id: 6 }] }
    expect(faultOf({ answers }, { status: 200, body })).toBe(
      'a 200 that its schema refuses at rows.….id (invalid_type)',
    )
  })
  test('is a fault if no schema declares its status, and if an error is no problem document', () => {
    expect(faultOf({ answers }, { status: 202, body: {} })).toBe('a 202, which it does not know')
    expect(faultOf({ answers }, { status: 500, body: 'oops' })).toContain('a 500 that its schema refuses')
    expect(faultOf({ answers }, { status: 0, body: '' })).toBe('no answer')
  })
  test('is ignored if the page never asks for it', () => {
    expect(faultOf(undefined, { status: 200, body: 'new' })).toBeUndefined()
  })
})

describe('the route by which an answer is read', () => {
  const get = (path: string) => ({ method: 'get' as const, path })
  const before = { routes: [get('/hooks'), get('/hooks/:id')] }
  const after = { routes: [get('/hooks/:hook'), get('/hooks/limit')] }

  test('is the page’s own, whatever its parameters are called', () => {
    expect(routeKnownTo(before, after, 'GET', '/hooks/7')?.path).toBe('/hooks/:id')
    expect(routeKnownTo(after, before, 'GET', '/hooks/7')?.path).toBe('/hooks/:hook')
  })
  test('does not exist if only the newer server has it: older pages never ask for it', () => {
    expect(routeKnownTo(before, after, 'GET', '/hooks/limit')).toBeUndefined()
  })
  test('is the page’s own if the server has no such route, or takes the path for an id', () => {
    expect(routeKnownTo(before, after, 'GET', '/hooks')?.path).toBe('/hooks')
  })
})

describe('deliveries by client', () => {
  const event = (id: string, plannedAt: number, clientId = 'client') => ({
    id,
    type: 'lead.assigned',
    clientId,
    plannedAt,
  })
  const evidence = (changes: Partial<BesideEvidence>): BesideEvidence => ({
    events: [event('e1', 10), event('e2', 20)],
    receipts: [receipt({})],
    ownerOf: new Map([
      [100, 'client'],
      [1, 'stranger'],
    ]),
    editedClient: 'client',
    webhooks: [
      {
        id: 'w',
        endpoint: 100,
        on: [{ from: 5, until: 15 }],
        off: [{ from: 16, until: 25 }],
        onSince: undefined,
      },
    ],
    ...changes,
  })

  test('are sound if a webhook got every event of its active time, and none of its pause', () => {
    expect(checkBeside(evidence({}))).toEqual([])
  })
  test('are refused if an event of the active time is missing', () => {
    expect(checkBeside(evidence({ receipts: [] }))).toEqual([
      '1 event(s) that never came to an edited webhook that was on',
    ])
  })
  test('are refused if an event of the pause was sent during it, and sound if it was sent afterwards', () => {
    const later = (at: number) => [receipt({}), receipt({ eventId: 'e2', deliveryId: 'd2', at })]
    expect(checkBeside(evidence({ receipts: later(21) }))).toEqual([
      '1 event(s) of a pause that were sent in it all the same',
    ])
    expect(checkBeside(evidence({ receipts: later(26) }))).toEqual([])
  })
  test('are refused at the endpoint of another client or of nobody', () => {
    const receipts = [receipt({}), receipt({ endpoint: 1 }), receipt({ eventId: 'unknown' })]
    expect(checkBeside(evidence({ receipts }))).toEqual(["2 request(s) at another client's endpoint"])
  })
})

describe('silence and delay', () => {
  const span = { from: 0, until: 100 }

  test('include the longest time without a request, also at both ends of the span', () => {
    expect(longestGap([receipt({ at: 40 }), receipt({ at: 10 })], span)).toBe(60)
    expect(longestGap([], span)).toBe(100)
  })
  test('include the delay of the first request of each delivery that was due in the span', () => {
    const receipts = [
      receipt({ at: 30, intended: 10 }),
      receipt({ at: 90, intended: 10 }),
      receipt({ deliveryId: 'd2', at: 500, intended: 200 }),
      receipt({ deliveryId: 'd3', at: 70, intended: null }),
    ]
    expect(latencies(receipts, span)).toEqual([20])
  })
})

import { expect, test } from 'vitest'
import type { DeliveryReport, Exceptions } from '#core/contract/market/delivery-figures.ts'
import { leadOf, listQueue, refuseResend, writeQueue } from '#web/market/enterprise/exception-rows.ts'
import { listPerformance, turnSort, writePerformance } from '#web/market/enterprise/performance-rows.ts'

const NONE = {
  leads: 0,
  spend: '0.00',
  delivered: 0,
  failed: 0,
  waiting: 0,
  delivery_rate: null,
  median_ms: null,
}
const REPORT: DeliveryReport = {
  timezone: 'UTC',
  from: '2026-03-01',
  to: '2026-03-02',
  begins_at: '2026-03-01T00:00:00.000Z',
  ends_at: '2026-03-03T00:00:00.000Z',
  all: { ...NONE },
  webhooks: [
    {
      ...NONE,
      webhook_config_id: 'b',
      webhook_name: 'Branch',
      spend: '9.50',
      delivery_rate: 0.5,
      median_ms: 90,
    },
    { ...NONE, webhook_config_id: 'i', webhook_name: 'idle' },
    {
      ...NONE,
      webhook_config_id: 'a',
      webhook_name: '=Agency',
      spend: '100.00',
      delivery_rate: 0.25,
      failed: 2,
    },
  ],
  states: [
    { ...NONE, state: 'TX', leads: 2 },
    { ...NONE, state: null, leads: 1 },
  ],
}
const list = (view: Partial<Parameters<typeof listPerformance>[1]>) =>
  listPerformance(REPORT, { group: 'webhook', sort: '', find: '', ...view }).map(({ name }) => name)

test('endpoints are sorted by name or by any column, and rows without a figure come last', () => {
  expect(list({})).toEqual(['=Agency', 'Branch', 'idle'])
  expect(list({ sort: '-name' })).toEqual(['idle', 'Branch', '=Agency'])
  expect(list({ sort: '-spend' })).toEqual(['=Agency', 'Branch', 'idle'])
  expect(list({ sort: 'delivery_rate' })).toEqual(['=Agency', 'Branch', 'idle'])
  expect(list({ sort: '-delivery_rate' })).toEqual(['Branch', '=Agency', 'idle'])
  expect(list({ sort: 'nonsense' })).toEqual(['=Agency', 'Branch', 'idle'])
  expect(list({ find: ' RAN ' })).toEqual(['Branch'])
  expect(list({ find: 'bränch' })).toEqual(['Branch'])
  expect(list({ group: 'state', sort: '-leads' })).toEqual(['Texas', 'No state'])
})

test('a column header sorts the highest value first, and pressed again in reverse', () => {
  expect(turnSort('', 'name')).toBe('-name')
  expect(turnSort('-name', 'name')).toBe('')
  expect(turnSort('', 'failed')).toBe('-failed')
  expect(turnSort('-failed', 'failed')).toBe('failed')
  expect(turnSort('failed', 'spend')).toBe('-spend')
  expect(turnSort('-spend', 'name')).toBe('')
})

test('the exported file has the rows in their order, and no formula', () => {
  const rows = listPerformance(REPORT, { group: 'webhook', sort: '-spend', find: '' })
  expect(writePerformance(rows, 'webhook').split('\r\n')).toEqual([
    'Endpoint,Leads,Spend,Delivered,Failed,Waiting,Delivery success,Median time to delivery (ms)',
    "'=Agency,0,100.00,0,2,0,0.2500,",
    'Branch,0,9.50,0,0,0,0.5000,90',
    'idle,0,0.00,0,0,0,,',
    '',
  ])
})

const FAILED: Exceptions['failed'][number] = {
  delivery_id: 'd1',
  attempt_id: 'g1',
  failed_at: '2026-03-02T10:00:00.000Z',
  attempts: 8,
  reason: 'http_5xx',
  message: null,
  webhook_config_id: 'a',
  webhook_name: 'Agency',
  is_active: true,
  is_returned: false,
  lead: { id: 'l1', name: '@Kim', state: 'TX' },
}
const RETURN: Exceptions['returns'][number] = {
  id: 'r1',
  reason: 'wrong_state',
  asked_by: 'client',
  price: '25.00',
  created_at: '2026-03-02T11:00:00.000Z',
  lead: { id: 'l2', name: null, state: null },
}

test('failed deliveries and returns form one queue, newest first', () => {
  const rows = listQueue({ failed: [FAILED], failed_more: false, returns: [RETURN], returns_more: false })
  expect(rows.map((row) => [row.kind, leadOf(row).id, row.why])).toEqual([
    ['return', 'l2', 'Wrong state'],
    ['failed', 'l1', 'Server error (5xx)'],
  ])
  expect(writeQueue(rows).split('\r\n')).toEqual([
    'What,Lead,Lead id,State,Endpoint,Why,Attempts,Since',
    'Return waits,,l2,,,Wrong state,,2026-03-02T11:00:00.000Z',
    "Delivery failed,'@Kim,l1,TX,Agency,Server error (5xx),8,2026-03-02T10:00:00.000Z",
    '',
  ])
})

test('a delivery that cannot be resent shows the reason', () => {
  expect(refuseResend(FAILED)).toBeNull()
  expect(refuseResend({ ...FAILED, is_active: false })).toBe('The webhook is switched off')
  expect(refuseResend({ ...FAILED, attempt_id: null })).toBe('Its log is gone')
  expect(refuseResend({ ...FAILED, is_returned: true, is_active: false })).toBe('The lead was returned')
})

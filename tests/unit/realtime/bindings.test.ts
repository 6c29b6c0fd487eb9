import { expect, test } from 'vitest'
import { listColumns } from '#core/contract/rows/row-tables.ts'
import {
  judgeBindings,
  listMessages,
  numberBindings,
  writeChange,
} from '#server/realtime/channels/bindings.ts'
import type { RowChange } from '#server/realtime/feed/feed.ts'

const change: RowChange = {
  table: 'client_balances',
  type: 'UPDATE',
  commit_timestamp: '2026-11-30T00:00:00+00:00',
  columns: listColumns('client_balances'),
  record: { client_user_id: 'a', balance: 5, updated_at: '2026-11-30T00:00:00+00:00' },
  old_record: { client_user_id: 'a' },
  member_user_id: null,
}

test('bindings of one channel get the columns that each selects: all, some or none', () => {
  const selections = [undefined, [], ['balance'], undefined, []]
  const asked = numberBindings(selections.map((select) => ({ event: '*', schema: 'public', select })))
  const bindings = judgeBindings(asked, new Set(['client_balances']))
  if (typeof bindings === 'string') throw new Error(bindings)
  const messages = listMessages(bindings, change)
  const records = messages.map(({ select }) => (JSON.parse(writeChange(change, select)) as RowChange).record)
  expect(records).toEqual([change.record, {}, { balance: 5 }])
  expect(messages.map(({ ids }) => ids)).toEqual([0, 1, 2].map((place) => [asked[place]?.id]))
})

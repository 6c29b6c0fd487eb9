import { expect, test } from 'vitest'
import { cutPage, readCursor, writeCursor } from '#core/data/page.ts'

const position = { at: '2026-11-21T06:43:53.288123Z', id: '01a1fcd8-dd49-75ca-b35e-b8309562de13' }

test('a cursor keeps microseconds, and reads back unchanged', () => {
  expect(readCursor(writeCursor(position))).toEqual(position)
})

test.each([
  '',
  'nonsense',
  Buffer.from('2026-11-21_1').toString('base64url'),
  writeCursor({ ...position, at: '9999' }),
  writeCursor({ ...position, at: '2026-13-41T06:43:53.288123Z' }),
  writeCursor({ ...position, at: '2026-02-30T06:43:53.288123Z' }),
  writeCursor({ ...position, at: '0000-01-01T00:00:00.000000Z' }),
])('%j is refused as a cursor', (cursor) => {
  expect(readCursor(cursor)).toBeUndefined()
})

test('a page that is not full has no next page', () => {
  const row = { position: position.at, id: position.id }

  expect(cutPage([row], 1)).toEqual({ rows: [row], next_cursor: null })
  expect(cutPage([row, row], 1)).toEqual({ rows: [row], next_cursor: writeCursor(position) })
})

import { expect, test } from 'vitest'
import { formatBytes } from '#web/format/bytes.ts'
import { judgeFile, TOO_LARGE, WRONG_TYPE } from '#web/leads/returns/evidence/judge-file.ts'

test.each([
  ['image/heic', 1, undefined],
  ['audio/mpeg', 25_000_000, undefined],
  ['video/quicktime', 25_000_001, TOO_LARGE],
  ['application/pdf', 1, undefined],
  ['', 1, undefined],
  ['application/pdf+zip', 1, WRONG_TYPE],
  ['text/html', 1, WRONG_TYPE],
  ['image/png', 0, 'The file is empty.'],
])('judges a file of type "%s" with %i bytes before it is sent', (type, size, said) => {
  expect(judgeFile({ type, size })).toBe(said)
})

test.each([
  [0, '1 KB'],
  [1, '1 KB'],
  [340_400, '340 KB'],
  [999_499, '999 KB'],
  [999_500, '1 MB'],
  [1_550_000, '1.6 MB'],
  [25_000_000, '25 MB'],
  [5_000_000_000, '5 GB'],
])('writes %i bytes as %s', (bytes, written) => {
  expect(formatBytes(bytes)).toBe(written)
})

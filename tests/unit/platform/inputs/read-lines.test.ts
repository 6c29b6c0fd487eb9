import { expect, test } from 'vitest'
import { readLines } from '#server/http/body/read-lines.ts'

test('of lines that nobody may post so many of, only those are read that say so', () => {
  const lines = Buffer.from('x\n\n{}\n'.repeat(500_000))
  expect(readLines(lines, 64, 1001)).toHaveLength(1001)
  expect(readLines(Buffer.from('7\n{}'), 64, 1001)).toEqual([7, {}])
})

import { expect, test } from 'vitest'
import { readLines } from '#server/http/body/read-lines.ts'

const LIMITS = { deepest: 64, values: 20_000 }

test('too many lines are read only until they can be refused', () => {
  const lines = Buffer.from('x\n\n{}\n'.repeat(500_000))
  expect(readLines(lines, LIMITS, 1001)).toHaveLength(1001)
  expect(readLines(Buffer.from('7\n{}'), LIMITS, 1001)).toEqual([7, {}])
})

test('lines with too many values in total are all refused, without judging each', () => {
  const line = `[${Array.from({ length: 40 }, () => '[]').join(',')}]`
  const lines = Buffer.from([line, line, '7'].join('\n'))
  expect(() => readLines(lines, { ...LIMITS, values: 100 }, 10)).toThrow(
    'The lines have more than 100 values.',
  )
  expect(readLines(lines, { ...LIMITS, values: 200 }, 10)).toEqual([JSON.parse(line), JSON.parse(line), 7])
})

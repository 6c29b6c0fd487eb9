import { expect, it } from 'vitest'
import { createPriorities } from '#core/fairness/priorities.ts'

function turnsOf() {
  let time = 0
  const turn = createPriorities(() => time)
  return {
    pass: (ms: number) => {
      time += ms
    },
    take: (who: string, count: number): number[] => Array.from({ length: count }, () => turn(who)),
  }
}

it('gives a client within its rate priority 0, without end', () => {
  const turns = turnsOf()
  for (let second = 0; second < 100; second += 1) {
    expect(new Set(turns.take('a', 20))).toEqual(new Set([0]))
    turns.pass(100)
  }
})

it('gives the excess of a burst lower priorities in rounds', () => {
  const burst = turnsOf().take('a', 500)
  expect(burst.slice(0, 100).every((turn) => turn === 0)).toBe(true)
  expect(burst.slice(100)).toEqual([1, 2, 3, 4].flatMap((round) => Array<number>(100).fill(round)))
})

it('gives the next burst the same rounds, and a client without a burst priority 0', () => {
  const turns = turnsOf()
  turns.take('a', 20_000)
  expect(turns.take('b', 200).at(-1)).toBe(1)
  expect(turns.take('c', 10)).toEqual(Array<number>(10).fill(0))
})

it('forgets a burst once its events would have fitted the rate', () => {
  const turns = turnsOf()
  turns.take('a', 700)
  turns.pass(500)
  expect(turns.take('a', 1)).not.toEqual([0])
  turns.pass(1000)
  expect(turns.take('a', 100)).toEqual(Array<number>(100).fill(0))
})

import { expect, it } from 'vitest'
import { createWaitingLines } from '#core/fairness/waiting-lines.ts'

it('wakes each once, in the order in which they came, and nobody of another line', () => {
  const lines = createWaitingLines()
  const woken: string[] = []
  const stand = (key: string, name: string) => lines.wait(key, () => woken.push(name))
  stand('a', 'first')
  const leave = stand('a', 'gone')
  stand('a', 'second')
  stand('b', 'other')
  leave()
  leave()
  expect(lines.count('a')).toBe(2)
  for (let time = 0; time < 3; time += 1) lines.wakeNext('a')
  expect(woken).toEqual(['first', 'second'])
  expect([lines.count('a'), lines.count('b')]).toEqual([0, 1])
})

it('keeps who comes again while he is woken, and lets a late goodbye take nobody else away', () => {
  const lines = createWaitingLines()
  let woken = 0
  const leave = lines.wait('a', () => {
    woken += 1
    lines.wait('a', () => {
      woken += 1
    })
  })
  lines.wakeNext('a')
  leave()
  expect(lines.count('a')).toBe(1)
  lines.wakeNext('a')
  expect(woken).toBe(2)
})

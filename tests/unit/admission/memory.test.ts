import { expect, test } from 'vitest'
import { MEMORY } from '#server/admission/limits.ts'
import { createMemory } from '#server/admission/memory.ts'

const { ofCaller: mostOfCaller, ofAll: mostOfAll } = MEMORY

test('a caller’s bodies are counted together, until each has its answer', () => {
  const memory = createMemory()
  const first = memory.open('one')
  const second = memory.open('one')
  expect(first.mayHold(mostOfCaller)).toBe(true)
  expect(second.mayHold(1)).toBe(false)
  expect(memory.open('two').mayHold(mostOfCaller)).toBe(true)

  first.end()
  first.end()
  expect(second.mayHold(mostOfCaller)).toBe(true)
  expect(second.mayHold(1)).toBe(false)
})

test('bytes of an abandoned body are not counted', () => {
  const memory = createMemory()
  const gone = memory.open('one')
  gone.end()
  expect(gone.mayHold(1)).toBe(false)
  expect(memory.open('one').mayHold(mostOfCaller)).toBe(true)
})

test('if all together send too much, only the largest senders are refused', () => {
  const memory = createMemory()
  const heavy = Array.from({ length: mostOfAll / mostOfCaller }, (_caller, index) => `heavy ${index}`)
  for (const caller of heavy) expect(memory.open(caller).mayHold(mostOfCaller)).toBe(true)

  expect(memory.open('light').mayHold(1024)).toBe(true)
  const freed = memory.open('heavy 0')
  expect(freed.mayHold(1)).toBe(false)
  freed.end()
  for (let index = 0; index < 1000; index += 1) expect(memory.open(`light ${index}`).mayHold(1024)).toBe(true)
})

test('an answer that its reader has not read yet counts with the reader’s bodies, even beyond the limit', () => {
  const memory = createMemory()
  const answer = memory.open('one')
  answer.hold(mostOfCaller + 1)
  expect(memory.hasRoom('one', 0)).toBe(false)
  expect(memory.open('one').mayHold(1)).toBe(false)
  expect(memory.hasRoom('two', 0)).toBe(true)

  answer.end()
  expect(memory.hasRoom('one', 0)).toBe(true)
})

import { expect, test } from 'vitest'
import { createBodiesInMemory } from '#server/admission/bodies-in-memory.ts'
import { BODIES } from '#server/admission/limits.ts'

const { mostOfCaller, mostOfAll } = BODIES

test('a caller’s bodies are counted together, until each has its answer', () => {
  const memory = createBodiesInMemory()
  const first = memory.open('one')
  const second = memory.open('one')
  expect(first.mayBring(mostOfCaller)).toBe(true)
  expect(second.mayBring(1)).toBe(false)
  expect(memory.open('two').mayBring(mostOfCaller)).toBe(true)

  first.end()
  first.end()
  expect(second.mayBring(mostOfCaller)).toBe(true)
  expect(second.mayBring(1)).toBe(false)
})

test('what is brought for a body that nobody waits for any more is not counted', () => {
  const memory = createBodiesInMemory()
  const gone = memory.open('one')
  gone.end()
  expect(gone.mayBring(1)).toBe(false)
  expect(memory.open('one').mayBring(mostOfCaller)).toBe(true)
})

test('where all together bring too much, those with the most are refused and nobody else', () => {
  const memory = createBodiesInMemory()
  const heavy = Array.from({ length: mostOfAll / mostOfCaller }, (_caller, index) => `heavy ${index}`)
  for (const caller of heavy) expect(memory.open(caller).mayBring(mostOfCaller)).toBe(true)

  expect(memory.open('light').mayBring(1024)).toBe(true)
  const freed = memory.open('heavy 0')
  expect(freed.mayBring(1)).toBe(false)
  freed.end()
  for (let index = 0; index < 1000; index += 1)
    expect(memory.open(`light ${index}`).mayBring(1024)).toBe(true)
})

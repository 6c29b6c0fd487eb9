import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createLookUps, type ResolveName } from '#core/endpoint/look-ups.ts'

const ADDRESS = [{ address: '192.0.2.1', family: 4 }]
let asked: string[]
let answers: Map<string, () => void>
let told: string[]
let lookUp: (name: string) => void

beforeEach(() => {
  vi.useFakeTimers()
  asked = []
  told = []
  answers = new Map()
  const resolve: ResolveName = (name, _options, callback) => {
    asked.push(name)
    answers.set(name, () => callback(null, ADDRESS))
  }
  const ask = createLookUps(resolve, { mostMs: 10_000, mostUnsure: 2 })
  lookUp = (name) => ask(name, { all: true }, (error) => told.push(`${name} ${error?.code ?? 'found'}`))
})
afterEach(() => vi.useRealTimers())

function resolved(name: string): void {
  lookUp(name)
  answers.get(name)?.()
}

test('names that do not resolve delay no name that resolved quickly, and no other new name', () => {
  resolved('known')
  for (const name of ['silent 1', 'silent 2', 'new', 'known']) lookUp(name)
  expect(asked).toEqual(['known', 'silent 1', 'silent 2', 'known'])

  answers.get('silent 1')?.()
  expect(asked.at(-1)).toBe('new')
})

test('a known name that takes long counts as a new one from then on', () => {
  resolved('fell silent')
  lookUp('fell silent')
  lookUp('silent')
  vi.advanceTimersByTime(1000)
  lookUp('new')
  expect(asked).not.toContain('new')

  answers.get('fell silent')?.()
  expect(asked.at(-1)).toBe('new')
  lookUp('fell silent')
  expect(asked.filter((name) => name === 'fell silent')).toHaveLength(2)
})

test('a caller that has waited too long for a turn gets an error, and its name is not looked up', () => {
  for (const name of ['silent 1', 'silent 2', 'late']) lookUp(name)
  vi.advanceTimersByTime(10_000)
  expect(told).toEqual(['silent 1 EAI_AGAIN', 'silent 2 EAI_AGAIN', 'late EAI_AGAIN'])

  lookUp('next')
  answers.get('silent 1')?.()
  expect(asked).toEqual(['silent 1', 'silent 2', 'next'])
})

test('waiting names that were given up are skipped, however many they are', () => {
  for (const name of ['silent 1', 'silent 2']) lookUp(name)
  for (let count = 0; count < 30_000; count += 1) lookUp(`given up ${count}`)
  vi.advanceTimersByTime(10_000)
  lookUp('next')
  answers.get('silent 1')?.()
  expect(asked).toEqual(['silent 1', 'silent 2', 'next'])
})

test('concurrent callers for one name get the same answer', () => {
  for (const _ of [1, 2]) lookUp('one')
  answers.get('one')?.()
  expect([asked, told]).toEqual([['one'], ['one found', 'one found']])
})

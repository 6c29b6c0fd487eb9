import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect, onTestFinished, test } from 'vitest'
import { isWorthCollecting } from '#core/concurrency/collect-at-rest.ts'

const MODULE = new URL('../../../core/concurrency/collect-at-rest.ts', import.meta.url).href
const MEGABYTE = 1024 * 1024

test.each([
  ['rests and has grown', { busy: 0.01, residentBytes: 300 * MEGABYTE, leastBytes: 200 * MEGABYTE }, true],
  ['has just started', { busy: 0.01, residentBytes: 200 * MEGABYTE, leastBytes: 0 }, true],
  ['is busy', { busy: 0.2, residentBytes: 300 * MEGABYTE, leastBytes: 200 * MEGABYTE }, false],
  ['has hardly grown', { busy: 0.01, residentBytes: 210 * MEGABYTE, leastBytes: 200 * MEGABYTE }, false],
])('decides whether to collect the garbage of a process that %s', (_case, look, isWorth) => {
  expect(isWorthCollecting(look)).toBe(isWorth)
})

/**
 * Keeps a load's garbage until two collections, one after the start and one after the load. Otherwise it
 * never ends.
 */
const PROGRAM = `
  import { setTimeout as sleep } from 'node:timers/promises'
  import { collectAtRest } from '${MODULE}'
  const total = () => process.memoryUsage().heapTotal
  const load = () => {
    const kept = Array.from({ length: 600_000 }, (_none, index) => ({ index, text: 'lead ' + index }))
    return kept.length
  }
  collectAtRest(20)
  for (let time = 0; time < 2; time += 1) {
    load()
    const loaded = total()
    while (total() > loaded / 2) await sleep(10)
  }
  process.exit(0)`

test('an idle process returns memory to the system after a load', async () => {
  const child = spawn(process.execPath, ['--input-type=module', '--eval', PROGRAM], { stdio: 'inherit' })
  onTestFinished(() => void child.kill('SIGKILL'))
  const [status] = (await once(child, 'exit')) as [number | null]
  expect(status).toBe(0)
})

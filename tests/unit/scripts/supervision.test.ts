import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, test, vi } from 'vitest'
import { createSayOnce } from '#core/telemetry/say-once.ts'
import { createBackoff } from '#scripts/start/backoff.ts'
import { keepService } from '#scripts/start/keep-service.ts'
import { createLogView } from '#scripts/start/show-log-line.ts'
import { waitUntil } from '#tests/support/condition.ts'

/** Collects the terminal's output until the end of the test. */
function watchTerminal(): string[] {
  const shown: string[] = []
  for (const method of ['log', 'error'] as const) {
    const spy = vi.spyOn(console, method).mockImplementation((line: string) => void shown.push(line))
    onTestFinished(() => spy.mockRestore())
  }
  return shown
}

const entry = (fields: object): string => JSON.stringify({ level: 40, msg: 'a connection broke', ...fields })

test('a repeated failure is printed once, and its count when it ends', async () => {
  const said: string[] = []
  const sayOnce = createSayOnce({ quietMs: 30 })
  for (const key of ['lost', 'lost', 'late', 'lost'])
    sayOnce(key, (repeats) => said.push(`${key} ${repeats}`))
  expect(said).toEqual(['lost 0', 'late 0'])

  await waitUntil(() => said.length === 3)
  await sleep(40)
  expect(said).toEqual(['lost 0', 'late 0', 'lost 2'])
  sayOnce('lost', (repeats) => said.push(`lost ${repeats}`))
  expect(said.at(-1)).toBe('lost 0')
})

test('a lasting failure is printed again later, and at the end of the process', () => {
  const said: number[] = []
  const sayOnce = createSayOnce({ longestMs: -1 })
  for (let count = 0; count < 4; count += 1) sayOnce('lost', (repeats) => said.push(repeats))
  expect(said).toEqual([0, 1, 0, 1])

  const patient = createSayOnce()
  for (let count = 0; count < 3; count += 1) patient('lost', (repeats) => said.push(repeats))
  patient.end()
  expect(said.slice(4)).toEqual([0, 2])
})

test('the terminal shows 483 equal lines as two', () => {
  const shown = watchTerminal()
  const view = createLogView('worker')
  for (let line = 0; line < 483; line += 1) view.show(entry({ time: line, err: { message: 'refused' } }))
  view.show(entry({ level: 30 }))
  view.end()
  expect(shown).toEqual([
    '  worker | warning: a connection broke (refused)',
    '  worker | warning: a connection broke (refused) (482 times more)',
  ])
})

test('the terminal shows the count that a program reports, and why a request failed', () => {
  const shown = watchTerminal()
  const view = createLogView('server')
  view.show(entry({}))
  view.show(entry({ repeats: 1 }))
  view.show(entry({ level: 50, msg: 'a request failed', failure: { message: 'refused' } }))
  view.end()
  expect(shown).toEqual([
    '  server | warning: a connection broke',
    '  server | warning: a connection broke (once more)',
    '  server | error: a request failed (refused)',
  ])
})

test('a process that keeps ending is restarted after growing waits, and at once after a steady minute', () => {
  let now = 0
  const nextPause = createBackoff(() => now)
  const pauses = Array.from({ length: 8 }, () => {
    now += 1000
    return nextPause()
  })
  expect(pauses).toEqual([500, 1000, 2000, 4000, 8000, 16_000, 30_000, 30_000])
  now += 30_000 + 61_000
  expect(nextPause()).toBe(500)
})

test('a service that ends is restarted on its port until it works, but not while everything is being stopped', async () => {
  const shown = watchTerminal()
  const ports: Array<number | undefined> = []
  const ends: Array<(how: string) => void> = []
  const kept = await keepService({
    name: 'Redis',
    logFile: 'redis.log',
    start: (port) => {
      ports.push(port)
      if (ports.length === 2) return Promise.reject(new Error('the port is still taken'))
      const { promise: ended, resolve: end } = Promise.withResolvers<string>()
      ends.push(end)
      return Promise.resolve({ url: '', port: 7, ended, stop: () => Promise.resolve(end('status 0')) })
    },
  })
  ends[0]?.('SIGKILL')
  await waitUntil(() => shown.length === 3)
  await kept.stop()

  expect(ports).toEqual([undefined, 7, 7])
  expect(shown).toEqual([
    '✗ Redis ended (SIGKILL); starting it again in 0.5 s. Log: redis.log',
    '✗ Redis did not come back; trying again in 1 s. Log: redis.log',
    expect.stringMatching(/^✓ Redis is back after \d\.\d s$/),
  ])
})

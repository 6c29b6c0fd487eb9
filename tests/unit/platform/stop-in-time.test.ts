import { describe, expect, onTestFinished, test } from 'vitest'
import { createClosing } from '#core/closing.ts'
import { stopInTime, type WaitFor } from '#core/stop-in-time.ts'

/** Runs a stop with the given parts; returns what was logged. */
async function stop(limitMs: number, parts: (waitFor: WaitFor) => Promise<void>) {
  const lines: { level: string; facts: unknown; text: string | undefined }[] = []
  const status = await stopInTime(
    {
      name: 'server',
      limitMs,
      logger: {
        info: (facts: unknown) => lines.push({ level: 'info', facts: {}, text: String(facts) }),
        error: (facts: unknown, text?: string) => lines.push({ level: 'error', facts, text }),
      },
    },
    parts,
  )
  return { status, lines }
}

/** Work that ends with the test. */
function hang(): Promise<void> {
  return new Promise((resolve) => {
    onTestFinished(() => resolve())
  })
}

test('a stop that finishes exits with 0 and logs that', async () => {
  const { status, lines } = await stop(60_000, async (waitFor) => {
    await waitFor('requests', () => Promise.resolve())
  })
  expect({ status, lines }).toEqual({
    status: 0,
    lines: [{ level: 'info', facts: {}, text: 'server stopped' }],
  })
})

describe('a stop that hangs', () => {
  test('ends at its limit with 1, and logs in one line only the parts that hung', async () => {
    const { status, lines } = await stop(20, async (waitFor) => {
      await waitFor('requests', () => Promise.resolve())
      await Promise.all([waitFor('jobs in flight', hang), waitFor('chores', hang)])
      await waitFor('PostgreSQL', hang)
    })
    expect(status).toBe(1)
    expect(lines).toEqual([
      {
        level: 'error',
        facts: { hung: ['jobs in flight', 'chores'], failed: [] },
        text: 'server did not stop within 0.02 s and ends all the same; hung: jobs in flight, chores',
      },
    ])
  })

  test('has one limit for all parts together', async () => {
    const done: string[] = []
    const slow = (part: string) => (): Promise<void> =>
      new Promise((resolve) => {
        setTimeout(() => {
          done.push(part)
          resolve()
        }, 40)
      })
    const { status } = await stop(100, async (waitFor) => {
      for (const part of ['one', 'two', 'three', 'four']) await waitFor(part, slow(part))
    })
    expect(status).toBe(1)
    expect(done).not.toContain('four')
  })

  test('names the part that did not close', async () => {
    const { keep, close } = createClosing()
    keep('PostgreSQL', { part: 1, close: hang })
    keep('queues', { part: 2, close: () => Promise.resolve() })
    const { lines } = await stop(20, close)
    expect(lines[0]?.facts).toMatchObject({ hung: ['PostgreSQL'] })
  })
})

test('a part that fails does not keep others from stopping, and the exit status reports it', async () => {
  const stopped: string[] = []
  const error = new Error('the queue is gone')
  const { status, lines } = await stop(60_000, async (waitFor) => {
    await waitFor('queues', () => Promise.reject(error))
    await waitFor('PostgreSQL', async () => void stopped.push('PostgreSQL'))
  })
  expect(stopped).toEqual(['PostgreSQL'])
  expect({ status, lines }).toEqual({
    status: 1,
    lines: [
      {
        level: 'error',
        facts: { hung: [], failed: ['queues'], err: error },
        text: 'server stopped; failed: queues',
      },
    ],
  })
})

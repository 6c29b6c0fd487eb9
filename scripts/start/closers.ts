import { duration } from '../services/step.ts'

export interface Closers {
  /**
   * Registers a function that stops something running. If everything is already stopping, calls it at once
   * and throws.
   */
  add: (name: string, close: () => Promise<unknown>) => Promise<void>
  /** Stops one thing before the others. */
  closeNow: (name: string) => Promise<void>
  /** Stops everything, the youngest first, each after the one before has ended. */
  closeAll: () => Promise<void>
}

/**
 * Keeps what was started, so that it is stopped in reverse order, even if the start itself is interrupted.
 */
export function createClosers(): Closers {
  const entries: { name: string; close: () => Promise<unknown> }[] = []
  let isClosing = false

  async function closeOne({ name, close }: (typeof entries)[number]) {
    const startedAt = performance.now()
    try {
      await close()
      console.log(`✓ ${name} stopped (${duration(performance.now() - startedAt)})`)
    } catch (error) {
      console.error(`✗ ${name} did not stop: ${error instanceof Error ? error.message : String(error)}`)
    }
  }

  return {
    async add(name, close) {
      if (isClosing) {
        await close()
        throw new Error(`${name} came up while everything was being stopped`)
      }
      entries.push({ name, close })
    },
    async closeNow(name) {
      const index = entries.findIndex((entry) => entry.name === name)
      const [entry] = index === -1 ? [] : entries.splice(index, 1)
      if (entry !== undefined) await closeOne(entry)
    },
    async closeAll() {
      isClosing = true
      for (const entry of entries.splice(0).toReversed()) await closeOne(entry)
    },
  }
}

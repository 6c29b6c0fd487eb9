import { BODIES } from './limits.ts'

/** The bytes of requests that are on their way or wait for their answer: they are in memory until they have it. */
export interface BodiesInMemory {
  /** Opens an account of one body; whoever holds more than his part may bring no more, nor who has ended it. */
  open: (caller: string) => { mayBring: (bytes: number) => boolean; end: () => void }
}

/**
 * A caller may hold {@link BODIES.mostOfCaller}, and of all there may be {@link BODIES.mostOfAll}: where there are, whoever holds more
 * than his share of it is refused, so that those who send little never are.
 */
export function createBodiesInMemory(): BodiesInMemory {
  const held = new Map<string, number>()
  let all = 0

  const count = (caller: string, bytes: number): void => {
    const left = (held.get(caller) ?? 0) + bytes
    if (left === 0) held.delete(caller)
    else held.set(caller, left)
    all += bytes
  }
  const isTooMuch = (caller: string, bytes: number): boolean => {
    const own = (held.get(caller) ?? 0) + bytes
    return own > BODIES.mostOfCaller || (all + bytes > BODIES.mostOfAll && own > BODIES.mostOfAll / held.size)
  }

  return {
    open: (caller) => {
      let brought = 0
      let hasEnded = false
      return {
        mayBring: (bytes) => {
          if (hasEnded || isTooMuch(caller, bytes)) return false
          count(caller, bytes)
          brought += bytes
          return true
        },
        end: () => {
          hasEnded = true
          count(caller, -brought)
          brought = 0
        },
      }
    },
  }
}

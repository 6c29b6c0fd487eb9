import { MEMORY } from './limits.ts'

/**
 * The bytes that a server holds for its callers: bodies until their request is answered, and answers until
 * the caller has read them.
 */
export interface Memory {
  /**
   * Whether a caller may hold this much more: never above its own limit, nor above its share while all
   * together hold too much.
   */
  hasRoom: (caller: string, bytes: number) => boolean
  /**
   * Opens the account of one request. `hold` counts whether there is room or not, and counts nothing after
   * the end.
   */
  open: (caller: string) => {
    mayHold: (bytes: number) => boolean
    hold: (bytes: number) => void
    end: () => void
  }
}

/**
 * A caller may hold {@link MEMORY.ofCaller}, and all together {@link MEMORY.ofAll}. Above that, callers that
 * hold more than their share are refused, so that those who hold little never are.
 */
export function createMemory(): Memory {
  const held = new Map<string, number>()
  let all = 0

  const count = (caller: string, bytes: number): void => {
    const left = (held.get(caller) ?? 0) + bytes
    if (left === 0) held.delete(caller)
    else held.set(caller, left)
    all += bytes
  }
  const hasRoom = (caller: string, bytes: number): boolean => {
    const own = (held.get(caller) ?? 0) + bytes
    return own <= MEMORY.ofCaller && (all + bytes <= MEMORY.ofAll || own <= MEMORY.ofAll / held.size)
  }

  return {
    hasRoom,
    open: (caller) => {
      let brought = 0
      let hasEnded = false
      const hold = (bytes: number): void => {
        if (hasEnded) return
        count(caller, bytes)
        brought += bytes
      }
      return {
        hold,
        mayHold: (bytes) => {
          if (hasEnded || !hasRoom(caller, bytes)) return false
          hold(bytes)
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

/** All servers of a process use this one, because they share the process's memory. */
export const memoryOfProcess = createMemory()

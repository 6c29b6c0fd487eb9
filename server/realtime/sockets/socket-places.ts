import { SOCKETS } from '../../admission/limits.ts'
import type { Sender } from '../../admission/sender.ts'

/** The place of one open socket among all of its sender. */
export interface SocketPlace {
  /** whom the socket is counted for */
  name: () => string
  /** Counts the socket for somebody else from now on; false if they have too many. */
  moveTo: (sender: Sender) => boolean
  free: () => void
}

/** Counts open sockets: of a server, of each approved account, and of all strangers in a block of addresses. */
export function createSocketPlaces(): {
  size: () => number
  /** @returns undefined if there is no room */
  take: (sender: Sender) => SocketPlace | undefined
} {
  const counts = new Map<string, number>()
  let all = 0

  const count = (name: string, change: 1 | -1): void => {
    const left = (counts.get(name) ?? 0) + change
    if (left === 0) counts.delete(name)
    else counts.set(name, left)
  }
  const hasRoom = ({ name, isStranger }: Sender): boolean =>
    (counts.get(name) ?? 0) < (isStranger ? SOCKETS.ofBlock : SOCKETS.ofAccount)

  return {
    size: () => all,
    take: (sender) => {
      if (all >= SOCKETS.ofServer || !hasRoom(sender)) return undefined
      let held = sender.name
      let isFree = false
      count(held, 1)
      all += 1
      return {
        name: () => held,
        moveTo: (next) => {
          if (isFree || next.name === held) return true
          if (!hasRoom(next)) return false
          count(held, -1)
          held = next.name
          count(held, 1)
          return true
        },
        free: () => {
          if (isFree) return
          isFree = true
          count(held, -1)
          all -= 1
        },
      }
    },
  }
}

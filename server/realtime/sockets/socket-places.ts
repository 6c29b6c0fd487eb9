import { SOCKETS } from '../../admission/limits.ts'
import type { Sender } from '../../admission/sender.ts'

/** The place of one open socket among all of its sender. */
export interface SocketPlace {
  /** whom the socket is counted for */
  name: () => string
  /** Counts the socket for somebody else from now on; false if they have too many. */
  moveTo: (sender: Sender) => boolean
  /** Counts one more channel; false if its sender has too many. */
  addChannel: () => boolean
  removeChannel: () => void
  free: () => void
}

/** Counts open sockets of a server, and sockets and channels of each approved account and block of addresses. */
export function createSocketPlaces(): {
  /** @returns undefined if there is no room */
  take: (sender: Sender) => SocketPlace | undefined
} {
  const sockets = createCounts()
  const channels = createCounts()
  let all = 0
  const hasRoom = ({ name, isStranger }: Sender): boolean =>
    sockets.read(name) < (isStranger ? SOCKETS.ofBlock : SOCKETS.ofAccount)

  return {
    take: (sender) => {
      if (all >= SOCKETS.ofServer || !hasRoom(sender)) return undefined
      let { name } = sender
      let own = 0
      let isFree = false
      sockets.add(name, 1)
      all += 1
      const count = (change: number): void => {
        own += change
        channels.add(name, change)
      }
      return {
        name: () => name,
        moveTo: (next) => {
          if (isFree || next.name === name) return true
          if (!hasRoom(next)) return false
          sockets.add(name, -1)
          channels.add(name, -own)
          name = next.name
          sockets.add(name, 1)
          channels.add(name, own)
          return true
        },
        addChannel: () => {
          if (channels.read(name) >= SOCKETS.channelsOfSender) return false
          count(1)
          return true
        },
        removeChannel: () => count(-1),
        free: () => {
          if (isFree) return
          isFree = true
          sockets.add(name, -1)
          all -= 1
        },
      }
    },
  }
}

/** Numbers by name; a name with 0 takes no memory. */
function createCounts() {
  const counts = new Map<string, number>()
  const read = (name: string): number => counts.get(name) ?? 0
  return {
    read,
    add: (name: string, change: number): void => {
      const now = read(name) + change
      if (now === 0) counts.delete(name)
      else counts.set(name, now)
    },
  }
}

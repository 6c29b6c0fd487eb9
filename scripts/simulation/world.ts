/** A clock that stands still between events. Everything in a simulation happens in its turn, so the same seed tells the same story. */
export interface World {
  now: () => number
  random: () => number
  at: (delayMs: number, act: () => void) => void
  run: (untilMs: number) => void
}

interface Due {
  at: number
  order: number
  act: () => void
}

export function createWorld(seed: number): World {
  const heap: Due[] = []
  let clock = 0
  let order = 0
  let state = seed >>> 0 || 1
  return {
    now: () => clock,
    random: () => {
      // xorshift32: enough for arrivals and latencies
      state ^= state << 13
      state ^= state >>> 17
      state ^= state << 5
      return (state >>> 0) / 2 ** 32
    },
    at: (delayMs, act) => {
      order += 1
      push(heap, { at: clock + Math.max(0, delayMs), order, act })
    },
    run: (untilMs) => {
      for (let next = heap[0]; next !== undefined && next.at <= untilMs; next = heap[0]) {
        pop(heap)
        clock = next.at
        next.act()
      }
      clock = untilMs
    },
  }
}

/** Processors that everybody shares: work is done in the order asked, each piece on whichever is free first. */
export interface Machine {
  work: (ms: number, then: () => void) => void
  /** milliseconds of processor time that were asked for so far, by what for */
  spent: Record<string, number>
  bill: (what: string, ms: number, then: () => void) => void
}

export function createMachine(world: World, cores: number): Machine {
  const freeAt = Array.from({ length: cores }, () => 0)
  const spent: Record<string, number> = {}
  const work = (ms: number, then: () => void): void => {
    const first = freeAt.indexOf(Math.min(...freeAt))
    const begins = Math.max(world.now(), freeAt[first] ?? 0)
    freeAt[first] = begins + ms
    world.at(begins + ms - world.now(), then)
  }
  return {
    spent,
    work,
    bill: (what, ms, then) => {
      spent[what] = (spent[what] ?? 0) + ms
      work(ms, then)
    },
  }
}

const before = (one: Due, other: Due): boolean =>
  one.at < other.at || (one.at === other.at && one.order < other.order)

function push(heap: Due[], due: Due): void {
  let at = heap.push(due) - 1
  while (at > 0) {
    const parent = (at - 1) >> 1
    const above = heap[parent] as Due
    if (!before(due, above)) break
    heap[at] = above
    at = parent
  }
  heap[at] = due
}

function pop(heap: Due[]): void {
  const last = heap.pop()
  if (last === undefined || heap.length === 0) return
  let at = 0
  for (;;) {
    let child = 2 * at + 1
    if (child >= heap.length) break
    const right = heap[child + 1]
    if (right !== undefined && before(right, heap[child] as Due)) child += 1
    const below = heap[child] as Due
    if (!before(below, last)) break
    heap[at] = below
    at = child
  }
  heap[at] = last
}

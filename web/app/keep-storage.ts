/**
 * The part of Leadwire's data that this browser stores. kept: everything; denied: nothing, because it denies
 * storage; full: nothing new, because its room is used up.
 */
export type StorageState = 'kept' | 'denied' | 'full'

/** This key is removed first when there is no room: the service has the same log (docs/product.md §3). */
const GOES_FIRST = 'security_events'

let state: StorageState = 'kept'
const listeners = new Set<() => void>()

export function readStorageState(): StorageState {
  return state
}

/** For `useSyncExternalStore`. */
export function listenToStorageState(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

function noteState(next: StorageState) {
  if (state === next) return
  state = next
  for (const listener of listeners) listener()
}

/**
 * Wraps a storage so that it never fails: a refused value is kept in memory while the page is open.
 * @param real undefined if the browser denies it
 */
export function createSafeStorage(real: Storage | undefined, note: (state: StorageState) => void): Storage {
  const ours = new Map<string, string>()
  const keys = () => [
    ...new Set([
      ...ours.keys(),
      ...Array.from({ length: real?.length ?? 0 }, (_, at) => real?.key(at) ?? ''),
    ]),
  ]
  const isKept = (key: string, value: string): boolean => {
    try {
      real?.setItem(key, value)
      return real !== undefined
    } catch {
      return false
    }
  }
  return {
    get length() {
      return keys().length
    },
    key: (at) => keys()[at] ?? null,
    getItem: (key) => ours.get(key) ?? real?.getItem(key) ?? null,
    setItem(key, value) {
      ours.delete(key)
      if (isKept(key, value)) return
      real?.removeItem(GOES_FIRST)
      if (isKept(key, value)) return
      // The stored value is out of date, and a page that opens later must not read it.
      real?.removeItem(key)
      ours.set(key, value)
      note(real === undefined ? 'denied' : 'full')
    },
    removeItem(key) {
      ours.delete(key)
      real?.removeItem(key)
    },
    clear() {
      ours.clear()
      real?.clear()
    },
  }
}

/**
 * Finds the browser's storage. A browser that denies it throws on access, Firefox throws on the first read of
 * a damaged one, and some Android web views have none.
 */
function find(name: 'localStorage' | 'sessionStorage'): Storage | undefined {
  try {
    const found = window[name] as Storage | null
    found?.getItem(GOES_FIRST)
    return found ?? undefined
  } catch {
    return undefined
  }
}

for (const name of ['localStorage', 'sessionStorage'] as const) {
  const real = find(name)
  if (real === undefined) noteState('denied')
  Object.defineProperty(window, name, { configurable: true, value: createSafeStorage(real, noteState) })
}

/** Deadlock and serialization failure: PostgreSQL rolled back, and the same work may succeed at once. */
const CONFLICTS = new Set(['40P01', '40001'])
const REPEATS = 3

/** Repeats a whole transaction that PostgreSQL rolled back because of a conflict with another. */
export async function repeatOnConflict<T>(work: () => Promise<T>): Promise<T> {
  for (let repeat = 0; ; repeat += 1) {
    try {
      return await work()
    } catch (error) {
      if (repeat >= REPEATS || !isConflict(error)) throw error
    }
  }
}

export function isConflict(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  return typeof code === 'string' && CONFLICTS.has(code)
}

import type { Db } from '#core/data/database.ts'

/** The rows of one write. All of them change in one transaction, or none. */
export interface ChosenRows {
  ids: readonly string[]
  /**
   * Is called in the transaction, once these rows are locked: others may have changed them since they were chosen.
   * @returns those that are still meant
   */
  confirm: (trx: Db, locked: readonly string[]) => Promise<readonly string[]>
  /** Reads the changed rows for the caller, in the transaction too, because they may be gone after it. */
  show?: (trx: Db, changed: readonly string[]) => Promise<void>
}

/** One row that is named by its id. */
export function oneRow(id: string): ChosenRows {
  return { ids: [id], confirm: async (_trx, locked) => locked }
}

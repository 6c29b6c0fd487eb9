/** PostgreSQL's table locks that migrations take, from the weakest. From `share` on, nobody can write meanwhile. */
export const LOCKS = [
  'row exclusive',
  'share update exclusive',
  'share',
  'share row exclusive',
  'access exclusive',
] as const
export type Lock = (typeof LOCKS)[number]

/** `instant` changes the catalogue only; the other kinds take the longer, the larger the table is. */
export type Work = 'instant' | 'reads all rows' | 'builds an index' | 'writes all rows anew' | 'changes rows'

/** The effect of one statement on one existing table. */
export interface Effect {
  /** with its schema, unless that is `public` */
  table: string
  lock: Lock
  work: Work
  /** the change, like `add column is_of_all` */
  change: string
  /** processes of the previous version may still use what this change takes away */
  takesAway?: true
}

/** The effects of a statement, and what the reader of a plan has to judge alone. */
export interface Judgement {
  effects: readonly Effect[]
  /** like `a block of code` */
  unjudged?: string
}

export function blocksWriters(lock: Lock): boolean {
  return LOCKS.indexOf(lock) >= LOCKS.indexOf('share')
}

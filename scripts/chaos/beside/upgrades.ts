/** The order in which a release replaces the processes. */
export interface Upgrade {
  id: string
  name: string
  /** the program whose new process starts first, and whose old process stops first */
  first: 'server' | 'worker'
}

const BOTH = 'the version before and this one side by side'

export const UPGRADES: readonly Upgrade[] = [
  { id: 'B1', name: `${BOTH}, the server first`, first: 'server' },
  { id: 'B2', name: `${BOTH}, the worker first`, first: 'worker' },
]

export const UPGRADE_PASSES =
  'nothing lost, late or stalled; each reads what the other writes; no warning in a log that is not explained'

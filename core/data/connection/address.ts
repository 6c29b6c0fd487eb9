import { splitHosts } from './split-hosts.ts'

/** A transaction pooler: it gives each transaction another session, and passes on no settings. */
export interface Pooler {
  /** whether it knows prepared statements: PgBouncer does from 1.21 on */
  prepares: boolean
  /** the settings that its PostgreSQL knows, of those that a session needs */
  known: ReadonlySet<string>
}

/** Everything that a process has learnt about a database's address; its pools share it. */
export interface Address {
  /** one URL for each host */
  hosts: readonly string[]
  /** index of the host to try first: the one that could be written last */
  first: number
  /** undefined while sessions keep their settings */
  pooler: Pooler | undefined
}

const addresses = new Map<string, Address>()

export function addressOf(url: string): Address {
  const known = addresses.get(url) ?? { hosts: splitHosts(url), first: 0, pooler: undefined }
  addresses.set(url, known)
  return known
}

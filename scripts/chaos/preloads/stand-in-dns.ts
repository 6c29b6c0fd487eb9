import dns, { type LookupAddress } from 'node:dns'
import { readFileSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'

/**
 * Preload for a worker. It answers names in the file CHAOS_DNS_FILE like a name server, slowly or with an
 * error if the file says so. The file is read for every query, so that a name may change.
 */
export interface StandInName {
  addresses?: string[]
  error?: string
  delayMs?: number
}

type Callback = (error: NodeJS.ErrnoException | null, address: unknown, family?: number) => void

const file = process.env['CHAOS_DNS_FILE'] ?? ''
const realLookup = dns.lookup

function lookup(hostname: string, options: { all?: boolean }, callback: Callback): void {
  const names = JSON.parse(readFileSync(file, 'utf8')) as Record<string, StandInName>
  const known = names[hostname]
  if (known === undefined) {
    realLookup(hostname, options as dns.LookupOptions, callback as never)
    return
  }
  setTimeout(() => {
    const { error, addresses = [] } = known
    if (error !== undefined) {
      callback(Object.assign(new Error(`getaddrinfo ${error} ${hostname}`), { code: error }), '')
      return
    }
    const answers: LookupAddress[] = addresses.map((address) => ({ address, family: 4 }))
    if (options.all === true) callback(null, answers)
    else callback(null, answers[0]?.address ?? '', 4)
  }, known.delayMs ?? 0)
}

dns.lookup = lookup as typeof dns.lookup
syncBuiltinESMExports()

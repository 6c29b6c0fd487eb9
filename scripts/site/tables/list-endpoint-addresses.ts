import { createAddressGuard } from '#core/endpoint/guard-address.ts'
import { asCode, writeTable } from './write-table.ts'

/** One example of each kind that a client may try. */
const ADDRESSES = [
  'https://crm.example.com/leads',
  'http://crm.example.com',
  'https://crm.example.com:8443',
  'https://93.184.215.14',
  'https://crm.example.com:22',
  'https://crm.example.com:5432',
  'http://localhost:8000/leads',
  'http://192.168.1.20',
  'https://crm',
  'https://crm.internal',
  'https://user:secret@crm.example.com',
  'https://crm.example.com#new',
  'ftp://crm.example.com',
]

/** The addresses that Endpoint URL may hold, as the guard judges them if no private network is allowed. */
export function listEndpointAddresses(): string {
  const guard = createAddressGuard([])
  const rows = ADDRESSES.map((address) => {
    const reading = guard.checkUrl(address)
    return [reading.ok ? 'yes' : 'no', asCode(address), reading.ok ? '' : reading.reason]
  })
  return writeTable(['Taken', 'Endpoint URL', 'Message'], rows)
}

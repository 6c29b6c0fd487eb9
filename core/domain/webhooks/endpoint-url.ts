import { refusePort } from './refuse-port.ts'

/** The exceptions that an installation allows beyond the public internet (WEBHOOK_ALLOWED_CIDRS). */
export interface EndpointUrlPolicy {
  /** loopback networks are allowed: `localhost` is a usable name */
  allowLocalhost: boolean
  /** other private networks are allowed: single-label and internal names are usable */
  allowPrivateNames: boolean
}

/** A usable URL, or the reason in words that the client understands. */
export type EndpointUrlReading = { ok: true; url: URL } | { ok: false; reason: string }

const INTERNAL_SUFFIXES = [
  'local',
  'internal',
  'intranet',
  'lan',
  'home',
  'corp',
  'svc',
  'home.arpa',
  'cluster.local',
]
const UNRESOLVABLE_SUFFIXES = ['invalid', 'onion']

/**
 * Reads an endpoint URL by its text alone: form, scheme, name and port. The address of a name is judged when it is
 * dialled (core/endpoint/guard-address.ts), and the port is judged again then, because the saved URL may be older than
 * the rule.
 */
export function readEndpointUrl(text: string, policy: EndpointUrlPolicy): EndpointUrlReading {
  // URL.parse would silently drop tabs and line breaks and turn backslashes, so the raw text is judged first.
  if (/[\u0000-\u0020\u007f\\]/.test(text))
    return refuse('The URL must not contain spaces, line breaks or backslashes.')
  if (!/^[a-z][a-z0-9+.-]*:/i.test(text)) return refuse('The URL must begin with https:// or http://.')
  if (!/^https?:/i.test(text)) return refuse('Only https:// and http:// URLs can receive webhooks.')
  if (!/^https?:\/\/[^/]/i.test(text))
    return refuse('The URL must begin with https:// or http:// followed by a host name.')
  const url = URL.parse(text)
  if (url === null) return refuse('The URL is not valid. Check the host name and the port.')
  if (url.username !== '' || url.password !== '' || /^https?:\/\/[^/?#]*@/i.test(text)) {
    return refuse('The URL must not contain a user name or password. Put credentials under Authentication.')
  }
  if (text.includes('#')) return refuse('The URL must not contain a fragment (#…): it would never be sent.')
  // An empty port means the scheme's own.
  const port = url.port === '' ? undefined : refusePort(Number(url.port))
  const reason = refuseName(url.hostname, policy) ?? port
  return reason === undefined ? { ok: true, url } : refuse(reason)
}

function refuseName(hostname: string, policy: EndpointUrlPolicy): string | undefined {
  const name = hostname.replace(/\.$/, '').toLowerCase()
  if (isIpLiteral(name)) return undefined
  if (name.length > 253) return 'The host name is too long.'
  const labels = name.split('.')
  if (labels.some((label) => label === '' || label.length > 63)) return 'The host name is not valid.'
  if (labels.at(-1) === 'localhost') {
    return policy.allowLocalhost
      ? undefined
      : 'The URL points at this machine itself (localhost). Use a public host name.'
  }
  if (endsWithAny(name, UNRESOLVABLE_SUFFIXES)) return 'The host name cannot be reached from the internet.'
  if (policy.allowPrivateNames) return undefined
  if (labels.length === 1)
    return 'The host name has no domain. Use a full public name such as crm.example.com.'
  if (endsWithAny(name, INTERNAL_SUFFIXES))
    return 'The host name belongs to a private network. Use a public host name.'
  return undefined
}

/** WHATWG URL has already converted every numeric spelling of IPv4 to four decimals, and puts IPv6 in brackets. */
function isIpLiteral(name: string): boolean {
  return name.startsWith('[') || /^\d+\.\d+\.\d+\.\d+$/.test(name)
}

function endsWithAny(name: string, suffixes: readonly string[]): boolean {
  return suffixes.some((suffix) => name === suffix || name.endsWith(`.${suffix}`))
}

function refuse(reason: string): EndpointUrlReading {
  return { ok: false, reason }
}

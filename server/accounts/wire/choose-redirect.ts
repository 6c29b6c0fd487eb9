import { isIP } from 'node:net'

/**
 * Addresses that run in the page that shows them, or read from this machine; refused whatever a pattern
 * allows.
 */
const DANGEROUS = new Set(['javascript:', 'data:', 'vbscript:', 'blob:', 'file:'])
const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]'])

/**
 * In characters. A pattern with several stars scans an address more than once, and a body may contain one of
 * a megabyte.
 */
const LONGEST_REDIRECT = 4096

/**
 * Chooses where to send a person after a link or a provider: the app's own origin, or an address of the allow
 * list. Any other is silently replaced by the app's address, so that nobody can lead our users elsewhere.
 * @param wanted `redirect_to` as it came; undefined or empty if there was none
 * @param allowed globs on the address without its fragment; `.` and `/` end a `*`, `**` crosses them
 */
export function chooseRedirect(
  wanted: string | undefined,
  { siteUrl, allowed }: { siteUrl: string; allowed: readonly string[] },
): string {
  if (wanted === undefined || wanted === '' || wanted.length > LONGEST_REDIRECT) return siteUrl
  // Browsers read a backslash as a slash, and drop tabs and line breaks, so they would follow another address
  // than the one judged here.
  if (/[\\\u0000-\u0020\u007f]/.test(wanted) || !wanted.isWellFormed() || !URL.canParse(wanted))
    return siteUrl
  const url = new URL(wanted)
  if (url.username !== '' || url.password !== '' || DANGEROUS.has(url.protocol)) return siteUrl
  if (isDisguisedAddress(wanted, url)) return siteUrl
  if (isOurs(url, new URL(siteUrl))) return wanted
  if (isBareAddress(url)) return siteUrl
  return allowed.some((pattern) => matches(url, pattern)) ? wanted : siteUrl
}

function isOurs(url: URL, site: URL): boolean {
  if (url.protocol !== site.protocol || url.hostname !== site.hostname) return false
  return url.port === site.port || LOOPBACK.has(url.hostname)
}

/** Whether the host is an IP address and not this machine. */
function isBareAddress(url: URL): boolean {
  return isIP(url.hostname.replace(/^\[|\]$/g, '')) !== 0 && !LOOPBACK.has(url.hostname)
}

/**
 * Decimal, octal and shortened IP addresses, which `new URL` turns into the address that a browser would go
 * to.
 */
function isDisguisedAddress(wanted: string, url: URL): boolean {
  return isIP(url.hostname) === 4 && !wanted.includes(`//${url.hostname}`)
}

/**
 * Compares the address as a browser reads it, not as written: a browser decodes escapes in a host and reads
 * other full stops as dots. `.` and `/` end a `*`, so that `https://*.example.com/*` allows neither
 * `evil.com/x.example.com` nor deeper paths. Even `**` cannot leave the host that it is part of.
 */
function matches(url: URL, pattern: string): boolean {
  const [place = ''] = /^https?:\/\/[^/]*/i.exec(pattern) ?? []
  const source = `${sourceOf(place, '[^/?]*')}${sourceOf(pattern.slice(place.length), '.*')}`
  const goal = url.href.replace(/#.*$/, '')
  const isWholeSite = url.pathname === '/' && url.search === ''
  const expression = new RegExp(`^${source}$`, 'u')
  return expression.test(goal) || (isWholeSite && expression.test(goal.replace(/\/$/, '')))
}

function sourceOf(glob: string, anything: string): string {
  return glob.replaceAll(/\*\*|\*|\?|[^*?]+/g, (part) => {
    if (part === '**') return anything
    if (part === '*') return '[^./]*'
    return part === '?' ? '[^./]' : part.replaceAll(/[.+^${}()|[\]\\/-]/g, '\\$&')
  })
}

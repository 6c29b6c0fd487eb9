import { isIP } from 'node:net'

/** Run in the page that shows them, or read from this machine, whatever a pattern allows. */
const DANGEROUS = new Set(['javascript:', 'data:', 'vbscript:', 'blob:', 'file:'])
const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]'])

/** Characters. A pattern with several stars looks through an address more than once, and a body may bring one of a megabyte. */
const LONGEST_REDIRECT = 4096

/**
 * Where a person may be sent after a link or a provider: the app's own origin, or what the allow list names. Anything else is
 * silently replaced by the app's address, so that nobody can lead our users elsewhere.
 * @param wanted `redirect_to` as it came; undefined or empty where there was none
 * @param allowed globs on the address without its fragment; `.` and `/` end a `*`, `**` crosses them
 */
export function chooseRedirect(
  wanted: string | undefined,
  { siteUrl, allowed }: { siteUrl: string; allowed: readonly string[] },
): string {
  if (wanted === undefined || wanted === '' || wanted.length > LONGEST_REDIRECT) return siteUrl
  // A browser reads a backslash as a slash, and drops tabs and line breaks: what it would follow is not what we would judge.
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

/** An address instead of a name, unless it is this machine. */
function isBareAddress(url: URL): boolean {
  return isIP(url.hostname.replace(/^\[|\]$/g, '')) !== 0 && !LOOPBACK.has(url.hostname)
}

/** Decimal, octal and shortened forms, of which `new URL` makes the address that a browser would go to. */
function isDisguisedAddress(wanted: string, url: URL): boolean {
  return isIP(url.hostname) === 4 && !wanted.includes(`//${url.hostname}`)
}

/**
 * Compares what a browser would go to, not what was written: it decodes escapes in a host and takes other full stops for dots.
 * `.` and `/` end a `*`, so that `https://*.example.com/*` allows neither `evil.com/x.example.com` nor deeper paths; even `**`
 * cannot leave a web host that it stands in.
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

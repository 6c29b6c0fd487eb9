import { isIP } from 'node:net'

const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]'])

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
  if (wanted === undefined || wanted === '') return siteUrl
  // A browser reads a backslash as a slash, and drops tabs and line breaks: what it would follow is not what we would judge.
  if (/[\\\u0000-\u0020\u007f]/.test(wanted) || !URL.canParse(wanted)) return siteUrl
  const url = new URL(wanted)
  if (url.username !== '' || url.password !== '') return siteUrl
  if (isOurs(url, new URL(siteUrl))) return wanted
  if (isBareAddress(url)) return siteUrl
  const withoutFragment = wanted.replace(/#.*$/, '')
  return allowed.some((pattern) => matches(withoutFragment, pattern)) ? wanted : siteUrl
}

function isOurs(url: URL, site: URL): boolean {
  if (url.protocol !== site.protocol || url.hostname !== site.hostname) return false
  return url.port === site.port || LOOPBACK.has(url.hostname)
}

/** An address instead of a name, unless it is this machine; `new URL` has already turned decimal and hexadecimal forms into it. */
function isBareAddress(url: URL): boolean {
  return isIP(url.hostname.replace(/^\[|\]$/g, '')) !== 0 && !LOOPBACK.has(url.hostname)
}

/** `.` and `/` end a `*`, so that `https://*.example.com/*` allows neither `evil.com/x.example.com` nor deeper paths. */
function matches(url: string, pattern: string): boolean {
  const source = pattern.replaceAll(/\*\*|\*|\?|[^*?]+/g, (part) => {
    if (part === '**') return '.*'
    if (part === '*') return '[^./]*'
    return part === '?' ? '[^./]' : part.replaceAll(/[.+^${}()|[\]\\/-]/g, '\\$&')
  })
  return new RegExp(`^${source}$`, 'u').test(url)
}

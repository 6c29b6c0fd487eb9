import { CLOUDFLARE_ACCESS, FIREWALL } from './explain-words.ts'

/** Targets of redirects (host and path, in lower case) and their meaning. The first that fits counts. */
const TARGETS: readonly (readonly [RegExp, string])[] = [
  // developers.google.com/apps-script/guides/content#redirects: the script has run, and a second address would give its
  // output.
  [
    /^script\.googleusercontent\.com\//,
    'your Google Apps Script has run, and redirects to what it returns; redirects are not followed, so it would get this lead again and again. Let doPost end with: return HtmlService.createHtmlOutput("ok"). That answers 200; ContentService never does.',
  ],
  [
    /^accounts\.google\.com\/(?!o\/oauth2)/,
    'your endpoint asks for a Google account, so nothing has run. Deploy an Apps Script with access for “Anyone”, and put the address of that deployment in Endpoint URL; share anything else with everybody.',
  ],
  [/\.cloudflareaccess\.com\/|\/cdn-cgi\/access\/login/, CLOUDFLARE_ACCESS],
  [/\/sgcaptcha\/|\.perfdrive\.com\//, FIREWALL],
  [
    /\/cgi-sys\/(?:defaultwebpage|movingpage)/,
    'the host of your endpoint has no site for its host name. Check the domain’s settings there, or Endpoint URL.',
  ],
  [
    /^(?:[^/]+\.)?(?:afternic|bodis|dan|hugedomains|parkingcrew|sedo|sedoparking)\.(?:com|net)\//,
    'the domain of your endpoint is parked or for sale. Renew it, or put the new address in Endpoint URL.',
  ],
  [
    /^[^/]*\/(?:cgi-sys\/)?suspended(?:page|\.|\/|$)/,
    'the host of your endpoint has suspended its account, and redirects to a page that says so. Ask the host.',
  ],
]

/** Hosts and steps of a path that belong to pages where a person signs in. */
const SIGN_IN =
  /^(?:login|signin|sso)\.|\.(?:okta|oktapreview|auth0|onelogin|b2clogin|amazoncognito|pingidentity)\.com\/|\/(?:wp-)?(?:log[-_]?in|sign[-_]?in|sso(?:-api)?|saml2?|adfs|authorize|oauth2|openid-connect|realms|sessions?\/new)(?:\.\w+)?(?:\/|$)|\/auth\/?$/

/**
 * Explains a redirect. Only five of the 3xx statuses lead elsewhere, and only if they name a target (RFC 9110 §15.4).
 * @param asked the address that redirects; it is compared, and never repeated
 */
export function explainRedirect(status: number, location: string | undefined, asked?: string): string {
  if (status === 304)
    return 'your endpoint says that nothing has changed, which answers a question that was not asked. Let it, or a cache before it, answer POST, PUT and PATCH with 200.'
  if (location === undefined || ![300, 301, 302, 303, 307, 308].includes(status))
    return 'your endpoint answered with a redirect that leads nowhere. Let it answer 200, or put the final address in Endpoint URL.'
  if (asked !== undefined && URL.parse(location, asked)?.href === URL.parse(asked)?.href) return TO_ITSELF
  const target = location.length > 2048 ? null : resolveTarget(location, asked)
  const place = target === null ? '' : `${hostOf(target)}${target.pathname}`.toLowerCase()
  const known = TARGETS.find(([leads]) => leads.test(place))?.[1]
  if (known !== undefined) return known
  const redirects = `your endpoint redirects${location.length > 2048 ? '' : describeTarget(target)};`
  // The others repeat the same request, for example when a slash or https:// is missing.
  if ((status === 302 || status === 303) && SIGN_IN.test(place))
    return `${redirects} a person signs in there, and Leadwire cannot. If leads do not arrive, put an address that needs no such sign-in in Endpoint URL, or add what it accepts instead under Authentication or Custom Headers; if they do, let it answer 200.`
  const plain = `${redirects} redirects are not followed. If leads belong there, put that address in Endpoint URL; if it is a page for people, look what it says.`
  // Laravel redirects to `/` after it refused values, if the request does not ask for JSON.
  return (status === 302 || status === 303) && target?.pathname === '/'
    ? `${plain} If it is Laravel, add Accept: application/json to Custom Headers to see which value it refuses.`
    : plain
}

/** A server behind a proxy that speaks HTTP to it takes every request as one for http://. */
const TO_ITSELF =
  'your endpoint redirects to the very address that was asked. Let it answer 200 instead. If it wants HTTPS, the proxy before it does not tell it that requests come so: let that send X-Forwarded-Proto, or speak HTTPS to it (Cloudflare’s mode Full).'

/** A placeholder for the endpoint's own host, which the reader knows. */
const RELATIVE = 'https://relative.invalid'

function resolveTarget(location: string, asked: string | undefined): URL | null {
  const base = asked === undefined ? null : URL.parse(asked)
  return URL.parse(location, `${RELATIVE}${base?.pathname ?? '/'}`)
}

const hostOf = (target: URL): string => (target.origin === RELATIVE ? '' : target.host)

/**
 * Describes a target by its host, and the first step of its path if that is a plain word (`/login`). The rest, and the
 * query, may hold credentials or a person's name, and are never repeated.
 */
function describeTarget(target: URL | null): string {
  if (target === null || !/^https?:$/.test(target.protocol)) return ' elsewhere'
  const host = hostOf(target) === '' ? '' : `${target.protocol}//${target.host}`
  // Perhaps only a slash at the end of the address is missing.
  const [, word = ''] = /^(\/[a-z-]{1,12}(?:\/$)?)(?=\/|$)/.exec(target.pathname) ?? []
  const shown = word === '' ? '/' : word
  const hasMore = target.pathname.length > shown.length
  return ` to ${host.slice(0, 200)}${shown}${hasMore ? '…' : ''}`
}

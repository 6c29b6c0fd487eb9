import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import type { RequestHandler } from 'express'
import helmet from 'helmet'
import type { Config } from '#core/config/config.ts'

/**
 * Permissions that browsers let pages ask for and no page of ours needs. The clipboard (copy buttons),
 * passkeys and full screen are not named: they keep the browser's default, this origin alone. A name that a
 * browser does not know appears as a warning on its console.
 */
const PERMISSIONS = [
  'accelerometer',
  'camera',
  'display-capture',
  'geolocation',
  'gyroscope',
  'hid',
  'idle-detection',
  'local-fonts',
  'magnetometer',
  'microphone',
  'midi',
  'payment',
  'screen-wake-lock',
  'serial',
  'usb',
  'window-management',
  'xr-spatial-tracking',
]
  .map((feature) => `${feature}=()`)
  .join(', ')

/**
 * Allows only this origin's own files and sockets, and those of the API if it has another origin: no inline
 * script or style, no plug-ins, no frames.
 * @param captcha the origins that a captcha loads its script and its frame from; empty without a captcha
 */
export function setSecurityHeaders(
  { publicUrl, apiUrl }: Pick<Config['http'], 'publicUrl' | 'apiUrl'>,
  captcha: readonly string[] = [],
): RequestHandler {
  const [site, api] = [new URL(publicUrl), new URL(apiUrl)]
  // Safari does not treat a socket as 'self'.
  const connected = [socketOf(site), ...(api.origin === site.origin ? [] : [api.origin, socketOf(api)])]
  const isHttps = site.protocol === 'https:'
  const protect = helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'self'"],
        scriptSrc: ["'self'", ...captcha],
        styleSrc: ["'self'", ...captcha],
        ...(captcha.length === 0 ? {} : { frameSrc: ["'self'", ...captcha] }),
        fontSrc: ["'self'"],
        imgSrc: ["'self'", 'data:'],
        connectSrc: ["'self'", ...connected, ...captcha],
        objectSrc: ["'none'"],
        baseUri: ["'self'"],
        formAction: ["'self'"],
        frameAncestors: ["'none'"],
      },
    },
    strictTransportSecurity: isHttps ? { maxAge: 31_536_000, includeSubDomains: false } : false,
    referrerPolicy: { policy: 'strict-origin-when-cross-origin' },
  })
  const headers = readHeaders(protect).set('Permissions-Policy', PERMISSIONS)
  return (_request, response, next) => {
    response.setHeaders(headers)
    next()
  }
}

/** The headers are the same for every request, so they are read once from a dummy request. */
function readHeaders(protect: ReturnType<typeof helmet>): Map<string, string> {
  const headers = new Map<string, string>()
  const request = new IncomingMessage(new Socket())
  const response = Object.assign(new ServerResponse(request), {
    setHeader: (name: string, value: string) => {
      headers.set(name, value)
      return response
    },
  })
  protect(request, response, (error) => {
    if (error !== undefined) throw new Error('The security headers cannot be made', { cause: error })
  })
  return headers
}

function socketOf({ protocol, host }: URL): string {
  return `${protocol === 'https:' ? 'wss' : 'ws'}://${host}`
}

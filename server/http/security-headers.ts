import type { RequestHandler } from 'express'
import helmet from 'helmet'

/**
 * Only this origin's own files and sockets: no inline script or style, no plug-ins, no frames.
 * @param captcha the origins that a captcha loads its script and its frame from; empty where none is asked
 */
export function setSecurityHeaders(publicUrl: string, captcha: readonly string[] = []): RequestHandler {
  const url = new URL(publicUrl)
  const isHttps = url.protocol === 'https:'
  return helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'self'"],
        scriptSrc: ["'self'", ...captcha],
        styleSrc: ["'self'", ...captcha],
        ...(captcha.length === 0 ? {} : { frameSrc: ["'self'", ...captcha] }),
        fontSrc: ["'self'"],
        imgSrc: ["'self'", 'data:'],
        // Safari does not count a socket as 'self'.
        connectSrc: ["'self'", `${isHttps ? 'wss' : 'ws'}://${url.host}`, ...captcha],
        objectSrc: ["'none'"],
        baseUri: ["'self'"],
        formAction: ["'self'"],
        frameAncestors: ["'none'"],
      },
    },
    strictTransportSecurity: isHttps ? { maxAge: 31_536_000, includeSubDomains: false } : false,
    referrerPolicy: { policy: 'strict-origin-when-cross-origin' },
  })
}

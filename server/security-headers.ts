import type { RequestHandler } from 'express'
import helmet from 'helmet'

/** Only this origin's own files and sockets: no inline script or style, no plug-ins, no frames. */
export function setSecurityHeaders(publicUrl: string): RequestHandler {
  const url = new URL(publicUrl)
  const isHttps = url.protocol === 'https:'
  return helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'self'"],
        scriptSrc: ["'self'"],
        styleSrc: ["'self'"],
        fontSrc: ["'self'"],
        imgSrc: ["'self'", 'data:'],
        // Safari does not count a socket as 'self'.
        connectSrc: ["'self'", `${isHttps ? 'wss' : 'ws'}://${url.host}`],
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

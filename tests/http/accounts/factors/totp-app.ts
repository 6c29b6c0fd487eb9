import { Secret, TOTP } from 'otpauth'

/** The code that an authenticator app shows, now or so many steps of 30 s later. */
export function showCode(secret: string, steps = 0): string {
  return new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.now() + steps * 30_000 })
}

/** A code that is certainly not good now. */
export function wrongCode(secret: string): string {
  const near = new Set([-2, -1, 0, 1, 2].map((steps) => showCode(secret, steps)))
  return ['000000', '111111', '222222', '333333', '444444', '555555'].find((code) => !near.has(code)) ?? ''
}

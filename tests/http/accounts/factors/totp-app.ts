import { setTimeout as sleep } from 'node:timers/promises'
import { Secret, TOTP } from 'otpauth'

const STEP_MS = 30_000

/**
 * The code that an authenticator app shows, now or so many steps of 30 s later. The present one and the next are good for half
 * a minute at least; with any other the step may end before it is judged: see {@link waitForRoomInStep}.
 */
export function showCode(secret: string, steps = 0): string {
  return new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.now() + steps * STEP_MS })
}

/** Resolves when the present step of 30 s has a third of itself to go, at once for the most part. */
export async function waitForRoomInStep(): Promise<void> {
  const left = STEP_MS - (Date.now() % STEP_MS)
  if (left < STEP_MS / 3) await sleep(left)
}

/** A code that is certainly not good now. */
export function wrongCode(secret: string): string {
  const near = new Set([-2, -1, 0, 1, 2].map((steps) => showCode(secret, steps)))
  return ['000000', '111111', '222222', '333333', '444444', '555555'].find((code) => !near.has(code)) ?? ''
}

import { setTimeout as sleep } from 'node:timers/promises'
import { Secret, TOTP } from 'otpauth'

const STEP_MS = 30_000

/**
 * Returns the code of an authenticator app, now or some steps of 30 s later. The present code and the next
 * one are valid for at least half a minute; for any other the step may end before it is checked: see {@link
 * waitForRoomInStep}.
 */
export function showCode(secret: string, steps = 0): string {
  return new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.now() + steps * STEP_MS })
}

/** Resolves when a third of the current 30 s step is left, mostly at once. */
export async function waitForRoomInStep(): Promise<void> {
  const left = STEP_MS - (Date.now() % STEP_MS)
  if (left < STEP_MS / 3) await sleep(left)
}

/** Returns a code that is certainly not valid now. */
export function wrongCode(secret: string): string {
  const near = new Set([-2, -1, 0, 1, 2].map((steps) => showCode(secret, steps)))
  return ['000000', '111111', '222222', '333333', '444444', '555555'].find((code) => !near.has(code)) ?? ''
}

import { BODIES } from './cases/bodies.ts'
import { BURST } from './cases/burst.ts'
import type { BesideCase } from './case.ts'
import { CONDITIONS } from './cases/conditions.ts'
import { FAN_OUT } from './cases/fan-out.ts'
import { FRESH } from './cases/fresh.ts'
import { HANDSHAKES } from './cases/handshakes.ts'
import { HEAVY } from './cases/heavy.ts'
import { KILL } from './cases/kill.ts'
import { MISBEHAVING } from './cases/misbehaving.ts'
import { NEWCOMERS } from './cases/newcomers.ts'
import { POSTS } from './cases/posts.ts'
import { QUICK } from './cases/quick.ts'
import { READS } from './cases/reads.ts'
import { REPLAY } from './cases/replay.ts'
import { RETENTION } from './cases/retention.ts'
import { RESTART } from './cases/restart.ts'
import { SIGN_INS } from './cases/sign-ins.ts'
import { TURN_SILENT } from './cases/turn-silent.ts'

export const CASES: readonly BesideCase[] = [
  ...FRESH,
  TURN_SILENT,
  QUICK,
  FAN_OUT,
  ...HEAVY,
  ...HANDSHAKES,
  CONDITIONS,
  ...MISBEHAVING,
  REPLAY,
  ...READS,
  NEWCOMERS,
  POSTS,
  BODIES,
  SIGN_INS,
  BURST,
  RETENTION,
  RESTART,
  KILL,
]

/**
 * @param names separated by commas, or `all`
 * @throws Error that lists the valid names
 */
export function chooseCases(names: string): BesideCase[] {
  if (names === 'all') return [...CASES]
  return names.split(',').map((name) => {
    const found = CASES.find((one) => one.name === name)
    if (found !== undefined) return found
    const known = CASES.map((one) => one.name).join(', ')
    throw new Error(`--beside must be all, or some of ${known}; not '${name}'`)
  })
}

import { BODIES } from './bodies.ts'
import { BURST } from './burst.ts'
import type { BesideCase } from './case.ts'
import { CONDITIONS } from './conditions.ts'
import { FAN_OUT } from './fan-out.ts'
import { FRESH } from './fresh.ts'
import { HEAVY } from './heavy.ts'
import { KILL } from './kill.ts'
import { MISBEHAVING } from './misbehaving.ts'
import { POSTS } from './posts.ts'
import { QUICK } from './quick.ts'
import { READS } from './reads.ts'
import { REPLAY } from './replay.ts'
import { RESTART } from './restart.ts'
import { SIGN_INS } from './sign-ins.ts'
import { TURN_SILENT } from './turn-silent.ts'

export const CASES: readonly BesideCase[] = [
  ...FRESH,
  TURN_SILENT,
  QUICK,
  FAN_OUT,
  ...HEAVY,
  CONDITIONS,
  ...MISBEHAVING,
  REPLAY,
  ...READS,
  POSTS,
  BODIES,
  SIGN_INS,
  BURST,
  RESTART,
  KILL,
]

/**
 * @param names separated by commas, or `all`
 * @throws Error that says which there are
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

import { EVEN_MS, LEAST_PASSWORD_MEMORY_KIB } from './auth-variables.ts'
import { environmentSchema } from './variables.ts'

type Given = Readonly<Record<string, string | undefined>>

/** Variables that only work together: without one of them the feature would be silently off. */
const TOGETHER = [
  ['AUTH_CAPTCHA_PROVIDER', 'AUTH_CAPTCHA_SECRET'],
  // Without the second, payments would never be credited.
  ['PAYMENTS_SECRET_KEY', 'PAYMENTS_WEBHOOK_SECRET'],
  // Only an empty database gets these accounts, so a fault must be found before the first start.
  ['SEED_ADMIN_EMAIL', 'SEED_ADMIN_PASSWORD'],
  ['SEED_CLIENT_EMAIL', 'SEED_CLIENT_PASSWORD'],
  ['FILES_S3_ENDPOINT', 'FILES_S3_BUCKET', 'FILES_S3_KEY_ID', 'FILES_S3_SECRET'],
  ['AUTH_SMS_PROVIDER', 'AUTH_SMS_ACCOUNT', 'AUTH_SMS_TOKEN', 'AUTH_SMS_FROM'],
] as const

/**
 * Finds faults in several variables together, or in production alone. It also runs if single variables have faults, so
 * that an operator can fix all of them at once.
 */
export function findJointFaults(given: Given): string[] {
  const isSet = (name: string): boolean => given[name] !== undefined
  const faults: string[] = []
  if (isSet('REDIS_SENTINELS') && isSet('REDIS_CLUSTER_NODES'))
    faults.push(
      'REDIS_SENTINELS: a Redis Cluster has no Sentinels; set only one of them and REDIS_CLUSTER_NODES',
    )
  if (isSet('WEBHOOK_BIND_ADDRESS') && isSet('WEBHOOK_EGRESS_ADDRESSES') && !isAnnounced(given))
    faults.push(
      'WEBHOOK_BIND_ADDRESS: is none of WEBHOOK_EGRESS_ADDRESSES, from which alone requests may come, or does not hold yet',
    )
  if (!['REDIS_URL', 'REDIS_CLUSTER_NODES', 'REDIS_SENTINELS'].some(isSet))
    faults.push('REDIS_URL: is required (redis://…), or REDIS_CLUSTER_NODES; `npm start` brings its own')
  for (const [first, ...others] of TOGETHER) {
    const names = [first, ...others]
    if (names.some(isSet) && !names.every(isSet))
      faults.push(`${first}: is of use only together with ${others.join(', ')}`)
  }
  if ((given['NODE_ENV'] ?? 'production') === 'production') faults.push(...findProductionFaults(given))
  return faults
}

/** Also true if the list has a fault of its own, which is reported for itself. */
function isAnnounced(given: Given): boolean {
  const list = environmentSchema.shape.WEBHOOK_EGRESS_ADDRESSES.safeParse(
    given['WEBHOOK_EGRESS_ADDRESSES'],
  ).data
  const today = new Date().toISOString().slice(0, 10)
  return list?.some((one) => one.address === given['WEBHOOK_BIND_ADDRESS'] && one.from <= today) !== false
}

function findProductionFaults(given: Given): string[] {
  const faults: string[] = []
  if (given['FAILPOINTS'] !== undefined)
    faults.push('FAILPOINTS: makes processes die on purpose and is refused in production')
  const least = { AUTH_PASSWORD_MEMORY_KIB: LEAST_PASSWORD_MEMORY_KIB, AUTH_EVEN_MS: EVEN_MS } as const
  for (const name of ['AUTH_PASSWORD_MEMORY_KIB', 'AUTH_EVEN_MS'] as const) {
    // A value with a fault of its own is undefined here.
    const value = environmentSchema.shape[name].safeParse(given[name]).data
    if (value !== undefined && value < least[name])
      faults.push(`${name}: less than ${least[name]} is refused in production`)
  }
  return faults
}

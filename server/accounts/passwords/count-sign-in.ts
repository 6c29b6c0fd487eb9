import { createHash } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { limitParallel } from '#core/concurrency/limit-parallel.ts'
import { limitParallelEach } from '#core/concurrency/limit-parallel-each.ts'
import { delaySignIn, LONGEST_DELAY_MS } from '#core/domain/accounts/sign-in-delay.ts'
import type { Caller } from '#server/identity/caller.ts'
import { networkOf } from '#server/identity/network-of.ts'
import type { AuthContext } from '../auth-context.ts'
import { SIGN_IN_ATTEMPTS, SLOW_SIGN_INS } from '../auth-policy.ts'
import { recogniseDevice } from '../devices/recognise-device.ts'
import { AuthError, tooManyRequests } from '../wire/auth-error.ts'
import { readFailures, type Attempt } from './data/sign-in-attempts.ts'

/** The count that judges a sign-in. */
export interface SignInCount extends Attempt {
  /** the browser's id, if the account has signed in with it before */
  device?: string
  /** the address that an unknown proxy claims: the fair share of who waits is reckoned by it */
  claimed?: string
  /** The caller's network, or the unknown proxy, has used up its rate. */
  is_over?: boolean
}

/**
 * One account and count get as many checks at once as may be wrong. So a parallel guesser is blocked before further
 * guesses cost a hash, and takes no more of the hashing than this.
 */
const inLane = limitParallelEach(SIGN_IN_ATTEMPTS, 1000, () => tooManyRequests(10))

const soon = () => tooManyRequests(LONGEST_DELAY_MS / 1000)
const inCallersShare = limitParallelEach(SLOW_SIGN_INS.ofCaller, 0, soon)
const inAccountsShare = limitParallelEach(SLOW_SIGN_INS.ofAccount, 0, soon)
const inAll = limitParallel(SLOW_SIGN_INS.waiting, 0, soon)

/**
 * Chooses the count of a sign-in. A browser that the account has signed in with has a count of its own, so no stranger
 * can have it refused. Anybody else is counted by network. Behind a proxy that TRUST_PROXY does not name, everybody has
 * one network, so failures there slow sign-ins of the account and do not block it.
 * @param email the name by which the person signs in, whether or not an account has it
 * @param readUser finds the account of that name
 */
export async function chooseCount(
  context: Pick<AuthContext, 'accounts'>,
  email: string,
  caller: Caller,
  readUser: () => Promise<string | undefined>,
): Promise<SignInCount> {
  const device = await recogniseDevice(context, caller, readUser)
  if (device !== undefined) return { email, ip: addressOf(`device ${device}`), blocks: true, device }
  if (caller.proxy === undefined) return { email, ip: caller.network, blocks: true }
  const { peer, claimed } = caller.proxy
  return { email, ip: addressOf(`behind ${peer}`), blocks: false, claimed: networkOf(claimed) }
}

/**
 * Counts a sign-in against the rates of calls. A known browser has a rate of its own when that of its network is used
 * up. Behind an unknown proxy a used-up rate slows the sign-in.
 * @throws AuthError 429
 */
export async function spendSignIn(
  { accounts: { rates } }: Pick<AuthContext, 'accounts'>,
  count: SignInCount,
  caller: Caller,
): Promise<SignInCount> {
  try {
    await rates.spend('token', caller.network)
    return count
  } catch (error) {
    if (!(error instanceof AuthError) || (count.blocks && count.device === undefined)) throw error
    if (count.device !== undefined) await rates.spend('device', count.device)
    return { ...count, is_over: true }
  }
}

/**
 * Checks a password in its turn, after the wait that failures behind an unknown proxy have earned. A waiting sign-in
 * holds neither a connection to PostgreSQL nor a place for hashing.
 * @throws AuthError 429 if too many wait
 */
export async function inTurnOf<Result>(
  { db }: Pick<AuthContext, 'db'>,
  count: SignInCount,
  check: () => Promise<Result>,
): Promise<Result> {
  const account = `${count.ip} ${count.email}`
  if (count.blocks) return await inLane(account, check)
  return await inCallersShare(`${account} ${count.claimed ?? ''}`, () =>
    inAccountsShare(account, async () => {
      const ms = count.is_over === true ? LONGEST_DELAY_MS : delaySignIn(await readFailures(db, count))
      if (ms > 0) await inAll(() => wait(ms))
      return await check()
    }),
  )
}

/**
 * Writes a text as an IPv6 address, because failures are stored by address. Networks of callers are stored as IPv4
 * addresses and /64 networks, so a whole IPv6 address is never one of theirs.
 */
function addressOf(text: string): string {
  const hex = createHash('sha256').update(text).digest('hex').slice(0, 32)
  return (hex.match(/.{4}/g) ?? []).join(':')
}

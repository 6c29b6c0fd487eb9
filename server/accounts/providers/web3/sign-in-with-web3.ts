import type { AuthContext } from '#server/accounts/auth-context.ts'
import { AuthError, oauthError, validationFailed } from '#server/accounts/wire/auth-error.ts'
import type { Caller } from '#server/identity/caller.ts'
import { chooseRedirect } from '#server/accounts/wire/choose-redirect.ts'
import { useProof } from '../data/used-proofs.ts'
import type { LiveSession } from '#server/accounts/sessions/describe-session.ts'
import { openSession } from '../open-session.ts'
import type { ProviderPerson } from '../provider-person.ts'
import { resolveAccount } from '../resolve-account.ts'
import { parseMessage, type SignInMessage, type Web3Chain } from './parse-message.ts'
import { isSignedBy } from './verify-signature.ts'

/** The longest time between the moment of signing and now, in either direction. */
const VALID_MS = 600_000
const NAMES: Record<Web3Chain, string> = { solana: 'Solana', ethereum: 'Ethereum' }

/** @throws AuthError web3_provider_disabled if no chain is enabled */
export function requireWeb3({ config }: Pick<AuthContext, 'config'>): void {
  const { solana, ethereum } = config.auth.web3
  if (!solana && !ethereum) throw disabled('Web3')
}

function disabled(which: string): AuthError {
  return new AuthError(422, 'web3_provider_disabled', `${which} provider is disabled`)
}

/**
 * Signs in by a message that the owner of a wallet signed. A message works once: the wire has no nonce of
 * ours, so a copy of it would be a password for ten minutes.
 */
export async function signInWithWeb3(
  context: AuthContext,
  given: { chain: string; message: string; signature: string },
  caller: Caller,
): Promise<LiveSession> {
  const { web3 } = context.config.auth
  const { chain } = given
  if (chain !== 'solana' && chain !== 'ethereum')
    throw new AuthError(400, 'web3_unsupported_chain', 'Unsupported chain')
  if (!web3[chain]) throw disabled(`${NAMES[chain]} Web3`)
  const parsed = parseMessage(chain, given.message)
  if (!parsed.ok) throw validationFailed(`${chain === 'solana' ? 'siws' : 'siwe'}: ${parsed.fault}`)
  const { message } = parsed
  if (!(await isSignedBy(chain, message.address, { text: given.message, signature: given.signature })))
    throw oauthError('invalid_grant', 'Signature does not match address in message')
  refuseForeignPlace(context, message)
  refuseWrongTime(message, Date.now())

  const person = describeWallet(chain, message)
  const redirectTo = context.config.http.publicUrl
  const end = { method: 'web3', provider: 'web3', redirectTo, caller }
  return await openSession(context, end, async (trx) => {
    const worthless = new Date(message.issuedAt.getTime() + VALID_MS)
    // The message identifies the proof and not the signature: an ECDSA signature has a second valid form.
    if (!(await useProof(trx, ['web3', chain, given.message], worthless)))
      return { refused: oauthError('invalid_grant', 'Signed message has already been used') }
    return await resolveAccount(context, trx, { person, caller, mayLackEmail: true })
  })
}

/** A message signed for another site must not work here. */
function refuseForeignPlace({ config }: Pick<AuthContext, 'config'>, { uri, domain }: SignInMessage): void {
  const url = new URL(uri)
  const isLocal = url.hostname === 'localhost' || url.hostname === '127.0.0.1' || url.hostname === '[::1]'
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && isLocal))
    throw oauthError('invalid_grant', 'Signed message must use a secure URI')
  const rules = { siteUrl: config.http.publicUrl, allowed: config.auth.redirectAllowList }
  if (chooseRedirect(uri, rules) !== uri)
    throw oauthError('invalid_grant', 'Signed message is using URI which is not allowed on this server')
  if (url.host !== domain)
    throw oauthError('invalid_grant', 'Signed message is using a domain that does not match its URI')
}

function refuseWrongTime({ issuedAt, expiresAt, notBefore }: SignInMessage, now: number): void {
  if (notBefore !== undefined && now < notBefore.getTime())
    throw oauthError('invalid_grant', 'Signed message cannot be used before its Not Before time')
  if (expiresAt !== undefined && now >= expiresAt.getTime())
    throw oauthError('invalid_grant', 'Signed message has expired')
  if (now - issuedAt.getTime() >= VALID_MS)
    throw oauthError('invalid_grant', 'Signed message was issued too long ago')
  if (issuedAt.getTime() - now >= VALID_MS)
    throw oauthError('invalid_grant', 'Signed message was issued too far in the future')
}

const LONGEST_STATEMENT = 500

function describeWallet(chain: Web3Chain, message: SignInMessage): ProviderPerson {
  // Hexadecimal letters of either case mean the same address; base58 distinguishes them.
  const address = chain === 'ethereum' ? message.address.toLowerCase() : message.address
  const id = `web3:${chain}:${address}`
  const claims = {
    address,
    chain,
    network: message.chainId ?? '',
    domain: message.domain.slice(0, LONGEST_STATEMENT),
    statement: (message.statement ?? '').slice(0, LONGEST_STATEMENT).toWellFormed().replaceAll('\0', ''),
  }
  const data = { sub: id, custom_claims: claims, email_verified: false, phone_verified: false }
  return { provider: 'web3', provider_id: id, email: null, isEmailVerified: false, data }
}

export type Web3Chain = 'solana' | 'ethereum'

/** The message that a wallet was asked to sign: EIP-4361, and Solana's form of it. */
export interface SignInMessage {
  domain: string
  address: string
  statement: string | undefined
  uri: string
  chainId: string | undefined
  nonce: string | undefined
  issuedAt: Date
  expiresAt: Date | undefined
  notBefore: Date | undefined
}

export type ParsedMessage = { ok: true; message: SignInMessage } | { ok: false; fault: string }

const SHORTEST = 64
const LONGEST = 20_480
const LEAST_LINES = 6

const CHAINS = {
  solana: {
    name: 'Solana',
    address: /^[1-9A-HJ-NP-Za-km-z]{32,44}$/,
    chainId: /^solana:(main|dev|test|local)net$/,
  },
  ethereum: { name: 'Ethereum', address: /^0x[0-9a-fA-F]{40}$/, chainId: /^[1-9]\d{0,19}$/ },
}
/** RFC 3339; `Date` alone would accept much more. */
const MOMENT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?(Z|[+-]\d\d:\d\d)$/i
const KEYS = new Set([
  'URI',
  'Version',
  'Chain ID',
  'Nonce',
  'Issued At',
  'Expiration Time',
  'Not Before',
  'Request ID',
])

/** Reads the message line by line, each key at most once. An ambiguous message is refused. */
export function parseMessage(chain: Web3Chain, text: string): ParsedMessage {
  if (text.length < SHORTEST || text.length > LONGEST)
    return fault(`message must be ${SHORTEST} to ${LONGEST} characters long`)
  const lines = text.split('\n').map((line) => line.replace(/\r$/, ''))
  if (lines.length < LEAST_LINES) return fault(`message needs at least ${LEAST_LINES} lines`)
  const { name, address: addressForm, chainId: chainForm } = CHAINS[chain]
  const [header = '', address = '', gap = '', first = '', second = ''] = lines
  const domain = /^(?:https?:\/\/)?(\S+) wants you to sign in with your (\w+) account:$/.exec(header)
  if (domain === null || domain[2] !== name) return fault('first line is not a sign-in header')
  if (!addressForm.test(address)) return fault('second line is not an address')
  if (gap !== '') return fault('third line must be empty')
  const hasStatement = first !== '' && second === ''
  const fields = readFields(lines.slice(hasStatement ? 5 : 3))
  if (typeof fields === 'string') return fault(fields)

  const moments = readMoments(fields)
  if (typeof moments === 'string') return fault(moments)
  const chainId = fields.get('Chain ID')
  if (fields.get('Version') !== '1') return fault('Version must be 1')
  if (chainId === undefined ? chain === 'ethereum' : !chainForm.test(chainId))
    return fault('Chain ID is not one of the chain')
  const uri = fields.get('URI')
  if (uri === undefined || !URL.canParse(uri)) return fault('URI is missing or not valid')
  const message = {
    domain: domain[1] ?? '',
    address,
    statement: hasStatement ? first : undefined,
    uri,
    chainId,
    nonce: fields.get('Nonce'),
    ...moments,
  }
  return { ok: true, message }
}

/**
 * Reads `Key: value` lines, and resources at the end. Clients put an empty line in place of a missing
 * statement.
 */
function readFields(lines: readonly string[]): Map<string, string> | string {
  const fields = new Map<string, string>()
  const rest = lines[0] === '' ? lines.slice(1) : [...lines]
  if (rest.at(-1) === '') rest.pop()
  for (const [index, line] of rest.entries()) {
    // The client library of the wire leaves the colon out.
    if (line === 'Resources:' || line === 'Resources') {
      const isList = rest.slice(index + 1).every((resource) => resource.startsWith('- '))
      return isList ? fields : 'a resource is not valid'
    }
    const [, key = '', value = ''] = /^([A-Z][A-Za-z ]*): (.+)$/.exec(line) ?? []
    if (!KEYS.has(key)) return 'a line is not a known field'
    if (fields.has(key)) return `${key} stands twice`
    fields.set(key, value)
  }
  return fields
}

function readMoments(fields: ReadonlyMap<string, string>) {
  const issuedAt = readMoment(fields.get('Issued At'))
  const expiresAt = readMoment(fields.get('Expiration Time'))
  const notBefore = readMoment(fields.get('Not Before'))
  if (issuedAt === undefined) return 'Issued At is missing'
  if (issuedAt === 'bad' || expiresAt === 'bad' || notBefore === 'bad') return 'a moment is not RFC 3339'
  return { issuedAt, expiresAt, notBefore }
}

function readMoment(text: string | undefined): Date | undefined | 'bad' {
  if (text === undefined) return undefined
  const moment = new Date(text)
  return MOMENT.test(text) && !Number.isNaN(moment.getTime()) ? moment : 'bad'
}

function fault(text: string): ParsedMessage {
  return { ok: false, fault: text }
}
